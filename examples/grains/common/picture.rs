//! Pictures of grains, as SVG.

use std::fmt::Write;
use std::ops::Range;
use std::path::Path;

use crate::support::Failure;

/// The colours of outlines, four of the 16 with each.
const COLOURS: [&str; 4] = ["#deb887", "#a0bed7", "#bed2a0", "#e1aaa5"];
/// Units of the file in a pixel: coordinates are whole numbers of them.
const FINE: f64 = 10.0;
/// Above all pictures, above each, and between them [pixels].
const HEAD: f64 = 44.0;
const CAPTION: f64 = 26.0;
const ROOM: f64 = 16.0;

/// A grain as it is drawn: its outline [D], and the number of its colour.
pub(crate) type Drawn = (Vec<[f64; 2]>, usize);

/// Grains in a frame.
pub(crate) struct Picture {
    pub(crate) title: String,
    /// What is shown along x and y [D].
    pub(crate) frame: [Range<f64>; 2],
    pub(crate) grains: Vec<Drawn>,
    /// Lines beside them.
    pub(crate) lines: Vec<Vec<[f64; 2]>>,
    /// Words at places.
    pub(crate) words: Vec<(String, [f64; 2])>,
}

impl Picture {
    fn extent(&self, axis: usize) -> f64 {
        self.frame[axis].end - self.frame[axis].start
    }

    /// Writes the picture with the lower left corner of its frame at `corner` [pixels].
    fn write(&self, svg: &mut String, scale: f64, [left, bottom]: [f64; 2]) -> std::fmt::Result {
        let [across, up] = &self.frame;
        let place =
            |[x, y]: [f64; 2]| [FINE * (left + scale * (x - across.start)), FINE * (bottom - scale * (y - up.start))];
        let title = [across.start, up.end];
        write_text(svg, &self.title, 15.0, [place(title)[0], place(title)[1] - FINE * 9.0])?;
        for (outline, colour) in &self.grains {
            write!(svg, r#"<path fill="{}" d="M"#, COLOURS[colour % COLOURS.len()])?;
            write_points(svg, outline.iter().map(|point| place(*point)))?;
            writeln!(svg, r#"z"/>"#)?;
        }
        for line in &self.lines {
            write!(svg, r#"<path fill="none" stroke-width="20" d="M"#)?;
            write_points(svg, line.iter().map(|point| place(*point)))?;
            writeln!(svg, r#""/>"#)?;
        }
        self.words.iter().try_for_each(|(word, at)| write_text(svg, word, 13.0, place(*at)))
    }
}

/// Draws pictures in rows of `columns`, below a title; a length of 1 D has `scale` pixels.
///
/// # Errors
///
/// The file cannot be written.
pub(crate) fn draw(path: &Path, title: &str, scale: f64, columns: usize, all: &[Picture]) -> Result<(), Failure> {
    let largest = |pictures: &[Picture], axis| scale * pictures.iter().map(|one| one.extent(axis)).fold(0.0, f64::max);
    let pitch = largest(all, 0) + ROOM;
    let heights: Vec<f64> = all.chunks(columns.max(1)).map(|row| largest(row, 1) + CAPTION + ROOM).collect();
    let (width, height) = (pitch * columns as f64 + ROOM, HEAD + heights.iter().sum::<f64>());
    let mut svg = String::new();
    writeln!(
        svg,
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0}" height="{height:.0}" viewBox="0 0 {:.0} {:.0}">"#,
        FINE * width,
        FINE * height
    )?;
    writeln!(svg, r##"<rect width="100%" height="100%" fill="#fff"/><g stroke="#444" stroke-width="6">"##)?;
    write_text(&mut svg, title, 21.0, [FINE * ROOM, FINE * 28.0])?;
    let mut top = HEAD;
    for (row, height) in all.chunks(columns.max(1)).zip(&heights) {
        for (at, picture) in row.iter().enumerate() {
            picture.write(&mut svg, scale, [ROOM + pitch * at as f64, top + height - ROOM])?;
        }
        top += height;
    }
    writeln!(svg, "</g></svg>")?;
    Ok(std::fs::write(path, svg)?)
}

fn write_points(svg: &mut String, points: impl Iterator<Item = [f64; 2]>) -> std::fmt::Result {
    let mut is_first = true;
    for [x, y] in points {
        write!(svg, "{}{x:.0} {y:.0}", if is_first { "" } else { "L" })?;
        is_first = false;
    }
    Ok(())
}

fn write_text(svg: &mut String, text: &str, size: f64, [x, y]: [f64; 2]) -> std::fmt::Result {
    writeln!(
        svg,
        r#"<text x="{x:.0}" y="{y:.0}" font-family="sans-serif" font-size="{:.0}" stroke="none">{text}</text>"#,
        FINE * size
    )
}
