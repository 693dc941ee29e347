//! Stacks and flat arches.

use drystone::body::{Definition, Kind, Lock};
use drystone::contact::material::{Material, Pair};
use drystone::shape::Shape;

use super::Failure;
use super::structure::Structure;
use super::structure::root::root;
use super::structure::wall::{brick, floor, on_the_end, stack};

/// What is found, its closed form, and how it is found.
pub(crate) type Case = (&'static str, f64, fn() -> Result<f64, Failure>);

/// Bricks of length 2 m of the harmonic stack.
const BRICKS: usize = 10;
/// Of places [m].
const TOLERANCE: f64 = 1e-10;
/// The flat arch: span, depth, and friction where sliding and where depth decides.
const FLAT: (f64, f64, [f64; 2]) = (2.0, 0.5, [0.5, 2.0]);
/// Friction of the floor, and of the wall.
const LADDER: (f64, f64) = (0.4, 0.3);
/// Half the thickness of a ladder of 1 m [m].
const THIN: f64 = 0.01;

pub(crate) const ALL: [Case; 7] = [
    ("block 0.4 by 1, friction 0.9: acceleration/g", 0.4, || block(0.4, 1.0, 0.9)),
    ("block 0.4 by 1, friction 0.3: acceleration/g", 0.3, || block(0.4, 1.0, 0.3)),
    // H_10 times half a length of 2 m.
    ("harmonic stack of 10: overhang", 2.928_968_253_968_254, harmonic),
    ("three blocks on two levels at an overhang of a length: load on the end", 0.0, three),
    // W/2mu, and WL/8t, of a weight of 1 N.
    ("flat arch, friction 0.5: least thrust over weight", 1.0, || flat(FLAT.2[0])),
    ("flat arch, friction 2: least thrust over weight", 0.5, || flat(FLAT.2[1])),
    ("ladder, friction 0.4 and 0.3: least tangent", (1.0 - 0.4 * 0.3) / 0.8, ladder),
];

/// Returns the acceleration over g of a block on a floor.
fn block(wide: f64, high: f64, friction: f64) -> Result<f64, Failure> {
    let mut structure = Structure::planar(friction)?;
    floor(&mut structure, -2.0, 2.0)?;
    brick(&mut structure, [-0.5 * wide, 0.0], [wide, high])?;
    let load = structure.sideways();
    Ok(structure.limit(&load)?.load_factor)
}

/// Returns the largest overhang of a harmonic stack that carries nothing else. Its shifts are 1/n of half a length, all scaled until
/// it carries no push on its end.
fn harmonic() -> Result<f64, Failure> {
    let shifts: Vec<f64> = (0..BRICKS).map(|below| 1.0 / (BRICKS - below) as f64).collect();
    let scale = root([0.9, 1.1], TOLERANCE, |scale| {
        let mut reach = 0.0;
        let overhangs: Vec<f64> = shifts
            .iter()
            .map(|shift| {
                reach += scale * shift;
                reach
            })
            .collect();
        let mut structure = stack(&overhangs)?;
        let load = on_the_end(&structure);
        Ok(structure.limit(&load)?.load_factor)
    })?;
    Ok(scale * shifts.iter().sum::<f64>())
}

/// Returns the load that the end of three blocks of length 2 m carries at an overhang of a length. Two lie on one at the edge, one of
/// them as counterweight.
fn three() -> Result<f64, Failure> {
    let mut structure = Structure::planar(0.5)?;
    floor(&mut structure, -4.0, 0.0)?;
    for corner in [[-1.0, 0.0], [-2.0, 1.0], [0.0, 1.0]] {
        brick(&mut structure, corner, [2.0, 1.0])?;
    }
    let load = on_the_end(&structure);
    Ok(structure.limit(&load)?.load_factor)
}

/// Returns the least thrust over the weight of a flat arch of two blocks between a fixed wall and one that is pushed.
fn flat(friction: f64) -> Result<f64, Failure> {
    let (span, depth, _) = FLAT;
    let mut structure = Structure::planar(friction)?;
    structure.cuboid([-0.5 * span - 1.0, -1.0, -1.0], [-0.5 * span, 1.0, 1.0], true)?;
    for from in [-0.5 * span, 0.0] {
        brick(&mut structure, [from, 0.0], [0.5 * span, depth])?;
    }
    // A slab on smooth rails is what pushes.
    let wall = pusher(&mut structure, [0.5 * span, 0.5 * span + 1.0])?;
    let weight = structure.weight();
    let mut load = structure.load(&[]);
    load[wall] = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    let most = 10.0 * weight;
    // Beside a push of ten weights, the largest pull that is left.
    structure.world.add_force(structure.blocks[wall].body, [-most, 0.0, 0.0], None)?;
    Ok((most - structure.limit(&load)?.load_factor) / weight)
}

/// Adds a slab that moves along x alone and has no weight. Returns its place.
fn pusher(structure: &mut Structure, [from, to]: [f64; 2]) -> Result<usize, Failure> {
    let lock = Lock(2 | 4 | 8 | 16 | 32);
    let position = [0.5 * (from + to), 0.0, 0.0];
    let material = structure.material;
    let definition = Definition { lock, material, position, mass: 1.0, gravity_scale: 0.0, ..Definition::default() };
    structure.add_as(Shape::cuboid([0.5 * (to - from), 1.0, 1.0])?, &definition, Vec::new())?;
    Ok(structure.blocks.len() - 1)
}

/// Returns the tangent of the least slope at which a ladder stands on a floor of friction 0.4, against a wall of 0.3.
fn ladder() -> Result<f64, Failure> {
    root([0.8, 1.5], TOLERANCE, |tangent| {
        let (sine, cosine) = tangent.atan().sin_cos();
        let mut structure = Structure::planar(LADDER.0)?;
        floor(&mut structure, -2.0, 2.0)?;
        let smoother = structure.world.add_material(Material::default())?;
        let pair = Pair { friction: LADDER.1, ..Pair::default() };
        structure.world.set_material_pair(structure.material, smoother, pair)?;
        let wall = Definition {
            kind: Kind::Static,
            material: smoother,
            position: [1.5 * cosine, 0.0, 1.0],
            ..Definition::default()
        };
        // Its face is where the top of the ladder is.
        structure.add_as(Shape::cuboid([0.5 * cosine, 1.0, 1.0])?, &wall, Vec::new())?;
        let [across, up] = [-THIN * sine, THIN * cosine];
        let middle = [0.5 * cosine, 0.5 * sine];
        let side = |sign: f64| [middle[0] + sign * across, middle[1] + sign * up];
        structure.prism(&[[0.0, 0.0], side(-1.0), [cosine, sine], side(1.0)], false)?;
        let load = structure.load(&[(structure.blocks.len() - 1, [-1.0, 0.0, 0.0, 0.0, 0.0, 0.0])]);
        Ok(structure.limit(&load)?.load_factor)
    })
}
