//! Pictures of grains, as SVG.

use std::ops::Range;
use std::path::Path;

use plotters::prelude::*;

use crate::support::Failure;

/// The colours of the 16 outlines.
const COLOURS: [RGBColor; 4] =
    [RGBColor(222, 184, 135), RGBColor(160, 190, 215), RGBColor(190, 210, 160), RGBColor(225, 170, 165)];

/// Grains in a frame.
pub(crate) struct Picture {
    pub(crate) title: String,
    /// What is shown along x and y [D].
    pub(crate) frame: [Range<f64>; 2],
    /// An outline each, and the number of its kind.
    pub(crate) grains: Vec<(Vec<[f64; 2]>, usize)>,
    /// Lines beside them.
    pub(crate) lines: Vec<Vec<[f64; 2]>>,
    /// Words at places.
    pub(crate) words: Vec<(String, [f64; 2])>,
}

/// Draws pictures in rows of `columns`, below a title; each is so large that a length of 1 D has `scale` pixels.
///
/// # Errors
///
/// The file cannot be written.
pub(crate) fn draw(path: &Path, title: &str, scale: f64, columns: usize, all: &[Picture]) -> Result<(), Failure> {
    const HEAD: f64 = 44.0;
    const CAPTION: f64 = 26.0;
    const ROOM: f64 = 16.0;
    let extent = |picture: &Picture, axis: usize| scale * (picture.frame[axis].end - picture.frame[axis].start);
    let most = |pictures: &[Picture], axis| pictures.iter().map(|one| extent(one, axis)).fold(0.0, f64::max);
    let width = (most(all, 0) + ROOM) * columns as f64 + ROOM;
    let heights: Vec<f64> = all.chunks(columns).map(|row| most(row, 1) + CAPTION + ROOM).collect();
    let height = HEAD + heights.iter().sum::<f64>();
    let area = SVGBackend::new(path, (width.ceil() as u32, height.ceil() as u32)).into_drawing_area();
    area.fill(&WHITE)?;
    area.draw(&Text::new(title.to_owned(), (16, 14), ("sans-serif", 21).into_font()))?;
    let mut top = HEAD;
    for (row, height) in all.chunks(columns).zip(&heights) {
        for (at, picture) in row.iter().enumerate() {
            let left = ROOM + (most(all, 0) + ROOM) * at as f64;
            let bottom = top + height - ROOM;
            let [across, up] = &picture.frame;
            let place = |[x, y]: [f64; 2]| {
                ((left + scale * (x - across.start)).round() as i32, (bottom - scale * (y - up.start)).round() as i32)
            };
            let caption = (left as i32, (bottom - extent(picture, 1) - CAPTION + 6.0) as i32);
            area.draw(&Text::new(picture.title.clone(), caption, ("sans-serif", 15).into_font()))?;
            for (outline, kind) in &picture.grains {
                let points: Vec<_> = outline.iter().copied().map(place).collect();
                area.draw(&Polygon::new(points.clone(), COLOURS[kind % COLOURS.len()].filled()))?;
                let closed: Vec<_> = points.iter().chain(points.first()).copied().collect();
                area.draw(&PathElement::new(closed, BLACK.mix(0.6).stroke_width(1)))?;
            }
            for line in &picture.lines {
                let points: Vec<_> = line.iter().copied().map(place).collect();
                area.draw(&PathElement::new(points, BLACK.stroke_width(2)))?;
            }
            for (word, at) in &picture.words {
                area.draw(&Text::new(word.clone(), place(*at), ("sans-serif", 13).into_font()))?;
            }
        }
        top += height;
    }
    area.present()?;
    Ok(())
}
