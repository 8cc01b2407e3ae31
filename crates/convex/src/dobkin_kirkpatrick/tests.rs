use xcollide_fixtures::Random;

use crate::tests::hulls::hull_of_mesh;

/// From any direction the hierarchy compares O(log n) vertices: sixty-four times as many vertices do not take three
/// times as many comparisons.
#[test]
fn the_hierarchy_compares_logarithmically_many_vertices() {
    let mut random = Random::new(23);
    let mut means = Vec::new();
    for n in [64, 256, 1024, 4096] {
        let mesh = xcollide_scenes::shape(&format!("shape:polytope?vertices={n}&seed=7"));
        let polytope = hull_of_mesh(&mesh.unwrap_or_else(|error| panic!("{error}")));
        let hierarchy = polytope.hierarchy();
        assert!(hierarchy.levels < 5 + polytope.len().ilog2() as usize * 3);
        let (mut sum, mut most) = (0, 0);
        for _ in 0..2000 {
            let mut compared = 0;
            let direction = [(); 3].map(|()| random.signed());
            let found = hierarchy.search(&polytope, direction, 0, |count| compared += count);
            compared += 1 + polytope.neighbours(found).len();
            sum += compared;
            most = most.max(compared);
        }
        assert!((most as f64) < 8.0 * f64::from(n).log2(), "{n}: {most}");
        means.push(f64::from(sum as u32) / 2000.0);
    }
    assert!(means[3] < 2.5 * means[0], "{means:?}");
}
