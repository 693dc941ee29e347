//! Pictures of planar structures, as SVG: blocks, thrust and forces of interfaces, mechanisms, and falls.

use std::path::Path;

use drystone::world::BodyState;
use plotters::coord::Shift;
use plotters::prelude::*;

use super::super::support::Failure;
use super::forces::Interface;
use super::{Structure, Wrench, placed};

const STONE: RGBColor = RGBColor(222, 212, 196);
const SUPPORT: RGBColor = RGBColor(150, 150, 150);
const MOVED: RGBColor = RGBColor(240, 178, 122);
const EDGE: RGBColor = RGBColor(90, 80, 70);
const THRUST: RGBColor = RGBColor(31, 119, 180);
const FORCE: RGBColor = RGBColor(214, 39, 40);
/// The largest force, and the largest move of a mechanism, as parts of the size of the picture [-].
const LONGEST: f64 = 0.12;
/// Of a panel [pixels].
const PANEL: (u32, u32) = (520, 380);

type Point = (f64, f64);

/// One panel: outlines that are filled, and lines.
#[derive(Debug, Clone)]
pub(crate) struct Scene {
    title: String,
    fills: Vec<(Vec<Point>, RGBColor)>,
    lines: Vec<(Vec<Point>, RGBColor, u32)>,
}

impl Scene {
    /// Returns the blocks of a structure where they are.
    pub(crate) fn new(title: impl Into<String>, structure: &Structure) -> Self {
        let mut scene = Self { title: title.into(), fills: Vec::new(), lines: Vec::new() };
        for (block, state) in structure.blocks.iter().zip(structure.states()) {
            let colour = if block.is_support() { SUPPORT } else { STONE };
            scene.fills.push((outline(&block.outline, &state), colour));
        }
        scene
    }

    /// Adds the resultants of interfaces, each as a line along it of a length in proportion.
    pub(crate) fn forces(mut self, interfaces: &[Interface]) -> Self {
        let length = |interface: &Interface| interface.resultant[0].hypot(interface.resultant[2]);
        let most = interfaces.iter().map(length).fold(0.0, f64::max).max(f64::MIN_POSITIVE);
        let scale = 0.5 * LONGEST * self.size() / most;
        for Interface { point, resultant, .. } in interfaces {
            let end = |sign: f64| (point[0] + sign * scale * resultant[0], point[2] + sign * scale * resultant[2]);
            self.lines.push((vec![end(-1.0), end(1.0)], FORCE, 2));
        }
        self
    }

    /// Adds the line through the points where the interfaces of a chain of blocks carry, in their order.
    pub(crate) fn thrust(mut self, interfaces: &[Interface]) -> Self {
        let points = interfaces.iter().map(|interface| (interface.point[0], interface.point[2])).collect();
        self.lines.push((points, THRUST, 3));
        self
    }

    /// Adds the blocks moved by a mechanism, which is scaled.
    pub(crate) fn mechanism(mut self, structure: &Structure, mechanism: &[Wrench]) -> Self {
        let corners = structure.blocks.iter().zip(structure.states()).zip(mechanism);
        let moves: Vec<Vec<[Point; 2]>> = corners
            .map(|((block, state), [x, _, z, _, turn, _])| {
                let moved = |[across, up]: &[f64; 2]| {
                    let [from_x, _, from_z] = placed(&state, [*across, 0.0, *up]);
                    let arm = [from_x - state.position[0], from_z - state.position[2]];
                    [(from_x, from_z), (x + turn * arm[1], z - turn * arm[0])]
                };
                block.outline.iter().map(moved).collect()
            })
            .collect();
        let most = moves.iter().flatten().map(|[_, by]| by.0.hypot(by.1)).fold(0.0, f64::max).max(f64::MIN_POSITIVE);
        let scale = LONGEST * self.size() / most;
        for (_, corners) in structure.blocks.iter().zip(moves).filter(|(block, _)| !block.is_support()) {
            let placed = corners.iter().map(|[at, by]| (at.0 + scale * by.0, at.1 + scale * by.1)).collect();
            self.fills.push((placed, MOVED));
        }
        self
    }

    /// Returns the lower and the upper corner of all that is drawn.
    fn bounds(&self) -> [Point; 2] {
        let all = self.fills.iter().flat_map(|fill| &fill.0).chain(self.lines.iter().flat_map(|line| &line.0));
        let none = [(f64::INFINITY, f64::INFINITY), (f64::NEG_INFINITY, f64::NEG_INFINITY)];
        all.fold(none, |[low, high], at| [(low.0.min(at.0), low.1.min(at.1)), (high.0.max(at.0), high.1.max(at.1))])
    }

    fn size(&self) -> f64 {
        let [low, high] = self.bounds();
        (high.0 - low.0).max(high.1 - low.1)
    }
}

fn outline(corners: &[[f64; 2]], state: &BodyState) -> Vec<Point> {
    corners.iter().map(|[x, z]| placed(state, [*x, 0.0, *z])).map(|[x, _, z]| (x, z)).collect()
}

/// Draws scenes in rows of `columns`, below a title. All lengths of a panel have one scale.
///
/// # Errors
///
/// The file cannot be written.
pub(crate) fn draw(path: &Path, title: &str, columns: usize, scenes: &[Scene]) -> Result<(), Failure> {
    let rows = scenes.len().div_ceil(columns);
    let size = (PANEL.0 * columns as u32, 44 + PANEL.1 * rows as u32);
    let area = SVGBackend::new(path, size).into_drawing_area();
    area.fill(&WHITE)?;
    let (head, body) = area.split_vertically(40);
    head.draw_text(title, &("sans-serif", 21).into_font().color(&BLACK), (16, 12))?;
    for (place, scene) in body.split_evenly((rows, columns)).iter().zip(scenes) {
        draw_scene(place, scene)?;
    }
    area.present()?;
    Ok(())
}

fn draw_scene(area: &DrawingArea<SVGBackend, Shift>, scene: &Scene) -> Result<(), Failure> {
    let [low, high] = scene.bounds();
    let (wide, tall) = area.dim_in_pixel();
    let (wide, tall) = (f64::from(wide) - 40.0, f64::from(tall) - 60.0);
    let per_pixel = ((high.0 - low.0) / wide).max((high.1 - low.1) / tall);
    let center = (0.5 * (low.0 + high.0), 0.5 * (low.1 + high.1));
    let half = (0.5 * wide * per_pixel, 0.5 * tall * per_pixel);
    let mut chart = ChartBuilder::on(area)
        .caption(&scene.title, ("sans-serif", 16))
        .margin(12)
        .build_cartesian_2d(center.0 - half.0..center.0 + half.0, center.1 - half.1..center.1 + half.1)?;
    for (corners, colour) in &scene.fills {
        chart.draw_series([Polygon::new(corners.clone(), colour.mix(0.85).filled())])?;
        let closed: Vec<_> = corners.iter().chain(corners.first()).copied().collect();
        chart.draw_series([PathElement::new(closed, EDGE.stroke_width(1))])?;
    }
    for (points, colour, width) in &scene.lines {
        chart.draw_series([PathElement::new(points.clone(), colour.stroke_width(*width))])?;
    }
    Ok(())
}
