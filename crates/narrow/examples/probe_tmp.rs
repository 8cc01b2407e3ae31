use xcollide_math::vector::*;
use xcollide_math::*;
use xcollide_narrow::continuous::*;
use xcollide_narrow::*;
fn main() {
    let faces: &str = &std::env::args().nth(1).unwrap();
    let width: f64 = std::env::args().nth(2).unwrap().parse().unwrap();
    let m = |s: &str| {
        Model::from_mesh(xcollide_scenes::shape(&format!("shape:{s}?faces={faces}")).unwrap())
            .unwrap()
    };
    let a = m("torus");
    let b = m("knot");
    let mut r = xcollide_scenes::Random::new(1);
    let radius = |m: &Model| m.mesh().positions().iter().map(|&p| length(p)).fold(0.0, f64::max);
    let reach = radius(&a) + radius(&b);
    let mut times = vec![];
    for q in 0..40 {
        let mut dir = || unit(r.in_ball()).unwrap();
        let along = dir();
        let aside = unit(cross(along, dir())).unwrap();
        let ax1 = dir();
        let ax2 = dir();
        let offset = scale(aside, 0.45 * reach * (1.0 + r.between(-1.0, 1.0)));
        let start = add(offset, scale(along, -1.5 * reach));
        let from = Pose::from_axis_angle(ax1, 3.0 * r.between(-1.0, 1.0), start).unwrap();
        let mo = Motion::spinning(
            [0.0; 3],
            from,
            scale(along, 3.0 * reach),
            scale(ax2, 1.57 * r.between(-1.0, 1.0)),
        )
        .unwrap();
        let (x, y) = (Moving::new(&a, &Pose::IDENTITY), Moving::new(&b, &mo));
        x.prepare();
        y.prepare();
        let mut best = f64::MAX;
        let mut v = None;
        for _ in 0..std::env::var("REP").map_or(3, |r| r.parse().unwrap()) {
            let t = std::time::Instant::now();
            v = Some(time_of_contact(x, y, width, &Query::new()).unwrap());
            best = best.min(t.elapsed().as_nanos() as f64 / 1e3);
        }
        let v = v.unwrap();
        let steps = match &v {
            MotionVerdict::Collides { apart, .. } => apart.as_ref().map_or(0, |a| a.steps()),
            MotionVerdict::Apart(a) => a.steps(),
            _ => 0,
        };
        if q < 12 {
            println!("{q} {:?} {best:.1} µs, {steps} looks", v.interval());
        }
        times.push(best);
        if std::env::var("VERIFY").is_ok() {
            v.verify(x, y, Default::default()).unwrap();
        }
    }
    times.sort_by(f64::total_cmp);
    println!("median {:.1} longest {:.1}", times[20], times[39]);
}
