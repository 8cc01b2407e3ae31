//! The 3-D view of a page: a scene in motion as a GLB in base64, and a viewer of it, in plain JavaScript with WebGL 2.
//!
//! The viewer reads exactly what [`xcollide_io::glb`] writes. Without scripts or WebGL 2 the page says so.

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::markup::escaped;

/// The viewer's parts, in the order in which they build on each other.
pub(super) const VIEWER: &str = concat!(
    include_str!("view/glb.js"),
    include_str!("view/matrix.js"),
    include_str!("view/camera.js"),
    include_str!("view/renderer.js"),
    include_str!("view/viewer.js"),
);

/// Larger files would make pages that browsers open slowly or not at all.
const LONGEST: usize = 256 << 20;

/// A scene in motion.
#[derive(Clone)]
pub(crate) struct View {
    glb: Vec<u8>,
    instants: u64,
    per_second: f64,
    unit: String,
    focus: Vec<[f64; 4]>,
}

impl View {
    /// A view of a GLB file with this many instants, `per_second` of them in a second of its animation, each called a
    /// `unit`. `None` if the file is too large for a page.
    pub(crate) fn new(glb: Vec<u8>, instants: u64, per_second: f64, unit: &str) -> Option<Self> {
        let focus = Vec::new();
        (glb.len() <= LONGEST).then(|| Self {
            glb,
            instants,
            per_second,
            unit: unit.to_owned(),
            focus,
        })
    }

    /// Makes the camera look at a ball at each instant: its center (z is up) and radius.
    pub(crate) fn focus(self, balls: impl IntoIterator<Item = ([f64; 3], f64)>) -> Self {
        // The viewer has y upwards, as glTF does.
        let focus = balls.into_iter().map(|([x, y, z], radius)| [x, z, -y, radius]).collect();
        Self { focus, ..self }
    }

    pub(super) fn html(&self) -> String {
        let Self { glb, instants, per_second, unit, focus } = self;
        let mut html = String::with_capacity(glb.len() / 3 * 4 + 500);
        let unit = escaped(unit);
        let focus = match focus.is_empty() {
            true => String::new(),
            false => format!(" data-focus=\"{focus:?}\""),
        };
        let _ = write!(
            html,
            "<div class=\"view\" data-instants=\"{instants}\" data-rate=\"{per_second}\" data-unit=\"{unit}\"{focus}>\
             <p class=\"no-view\">The 3-D view needs JavaScript and WebGL 2. The tables have what it would \
             show.</p></div>\n<script type=\"application/octet-stream\">"
        );
        STANDARD.encode_string(glb, &mut html);
        html.push_str("</script>\n");
        html
    }
}
