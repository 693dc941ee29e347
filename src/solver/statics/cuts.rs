//! Limit loads by cuts, for mechanisms that interior points do not reach because they are very large. This happens close to
//! where the load `F0` alone collapses.
//!
//! Above the limit, a part `x` of the load `F0 + alpha F1` is carried by no forces. It is the remainder of the load after
//! the nearest load that is carried. As a motion it opens all contacts, so it is a mechanism, and its work gives the upper
//! bound `-F0 x / F1 x` of the limit. The bounds fall to the limit, at which nothing remains.

use crate::error::{Result, copy};
use crate::solver::conic::active::{Active, IterationResult, StartPoint, StopCriteria};
use crate::solver::conic::border::Border;
use crate::solver::conic::interior::Interior;
use crate::solver::conic::laws::nearest;
use crate::solver::conic::program::{DOF, Law, Piece, Program, ROWS};

/// Interior points end here, in the units of the program.
const ENOUGH: f64 = 1e-14;
/// Steps of Newton's method after them.
const STOP: StopCriteria = StopCriteria { steps: 30, enough: 0.0, dilation: 1.0 };
/// How much larger all forces may be than the largest one found, and how much larger a single one [-].
const MARGIN: f64 = 10.0;
const SINGLE_MARGIN: f64 = 100.0;
/// A part of a load up to this is carried, in units of its largest entry [-].
const CARRIED: f64 = 1e-11;
/// Most cuts, and how often a bound is raised before them, by this factor.
const CUTS: u32 = 40;
const RAISES: u32 = 12;
const RAISE: f64 = 10.0;

/// An answer, and the factor of its border.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limit {
    pub(super) found: IterationResult,
    pub(super) factor: f64,
}

/// Interior points, and Newton's method from there; the answer is that of `interior`.
pub(super) fn find(
    program: &Program,
    border: Option<Border>,
    interior: &mut Interior,
    active: &mut Active,
) -> Result<Limit> {
    interior.lambda.clear();
    let end = interior.solve(program, border, ENOUGH)?;
    interior.project(program);
    let found = IterationResult { steps: end.steps, error: f64::INFINITY };
    polish(program, border, interior, active, Limit { found, factor: end.factor })
}

/// Newton's method from the answer of `interior`, to which it takes what is better.
fn polish(
    program: &Program,
    border: Option<Border>,
    interior: &mut Interior,
    active: &mut Active,
    limit: Limit,
) -> Result<Limit> {
    let mut answer = StartPoint { x: &mut interior.x, lambda: &mut interior.lambda, factor: limit.factor };
    let IterationResult { steps, error } = active.solve(program, border, &mut answer, &STOP)?;
    let found = IterationResult { steps: limit.found.steps + steps, error: error.min(limit.found.error) };
    Ok(Limit { found, factor: answer.factor })
}

/// How closely forces and mechanism prove a limit: the largest of three errors of it. What forces leave unbalanced does work in the mechanism.
/// So do forces of contacts that close in it. The third error is how far the factor of the forces is from the bound of the mechanism.
/// Where contacts hardly press and hardly open, the error of their laws may be the root of this.
pub(super) fn certificate(
    program: &Program,
    border: &Border,
    Interior { x, lambda, .. }: &Interior,
    factor: f64,
) -> Result<f64> {
    let mut rest = Vec::new();
    copy(&mut rest, &program.load, "bodies")?;
    let unit = border.load.as_flattened().iter();
    rest.as_flattened_mut().iter_mut().zip(unit).for_each(|(rest, unit)| *rest += factor * unit);
    let mut closed = 0.0;
    for (piece, closing) in program.pieces.iter().filter(|piece| piece.law != Law::Still).zip(closings(program, x)) {
        let mut forces = [0.0; ROWS];
        forces[..piece.rows].copy_from_slice(&lambda[piece.range()]);
        let carried = nearest(&piece.law, piece.rows, &forces);
        program.push(piece, &carried[..piece.rows], &mut rest);
        closed += closing * largest(&carried).max(1.0 / program.pieces.len() as f64);
    }
    let size = x.as_flattened().iter().fold(0.0, |sum, x| sum + x.abs());
    let unbalanced = largest(rest.as_flattened()) * size.max(1.0);
    let bound = -surplus(program, x, &program.load) / work(x, border.load);
    let all = [unbalanced, closed, (factor - bound).abs() / factor.abs().max(1.0)];
    // A maximum would ignore numbers that are not finite.
    Ok(if all.iter().all(|error| error.is_finite()) { largest(&all) } else { f64::INFINITY })
}

/// Lowers a bound until it is the limit. `interior` has forces and mechanism then, and is left as it is where its own are better.
pub(super) fn descend(
    program: &mut Program,
    [first, unit]: [&[[f64; DOF]]; 2],
    (interior, other, active): (&mut Interior, &mut Interior, &mut Active),
    limit: &mut Limit,
) -> Result<()> {
    let mut bound = 1.0 + RAISE * limit.factor.max(0.0);
    let mut mechanism = Vec::new();
    program.weight = 1.0;
    let (mut cuts, mut raises, mut closing) = (0, 0, f64::INFINITY);
    while cuts < CUTS && raises < RAISES {
        for ((load, first), unit) in program.load.iter_mut().zip(first).zip(unit) {
            *load = std::array::from_fn(|k| first[k] + bound * unit[k]);
        }
        limit.found.steps += find(program, None, other, active)?.found.steps;
        let (whole, along) = (surplus(program, &other.x, &program.load), work(&other.x, unit));
        if proves(program, &[], &program.load, other) && along > 0.0 {
            bound -= whole / along;
            copy(&mut mechanism, &other.x, "bodies")?;
            closing = closings(program, &other.x).fold(0.0, f64::max) / whole.sqrt();
            mechanism.as_flattened_mut().iter_mut().for_each(|x| *x /= along);
            cuts += 1;
        } else if cuts > 0 {
            break;
        } else {
            (bound, raises) = (RAISE * bound, raises + 1);
        }
    }
    program.weight = 0.0;
    program.load.copy_from_slice(first);
    let error = largest(other.x.as_flattened()).max(closing);
    if error < limit.found.error {
        (limit.found.error, limit.factor) = (error, bound);
        copy(&mut interior.x, &mechanism, "bodies")?;
        copy(&mut interior.lambda, &other.lambda, "rows")?;
        *limit = polish(program, Some(Border { load: unit, work: 1.0, floor: 0.0 }), interior, active, *limit)?;
    }
    Ok(())
}

/// Whether a motion that opens all contacts lets a load do more work than round-off lets forces do: no forces carry that load then, with no
/// multiple of the border. Forces that carry it do its work, and of that contacts that close do their force times how far they close.
pub(super) fn proves(
    program: &Program,
    border: &[[f64; DOF]],
    load: &[[f64; DOF]],
    Interior { x, lambda, .. }: &Interior,
) -> bool {
    let along = work(x, border).abs();
    let (sum, greatest) =
        closings(program, x).fold((0.0, along), |(sum, greatest), closing| (sum + closing, closing.max(greatest)));
    let against = (MARGIN * (sum + along)).max(SINGLE_MARGIN * greatest);
    surplus(program, x, load) > (against * largest(lambda).max(1.0)).max(CARRIED * CARRIED)
}

/// How far a motion closes each contact.
fn closings(program: &Program, x: &[[f64; DOF]]) -> impl Iterator<Item = f64> {
    program.pieces.iter().filter(|piece| piece.law != Law::Still).map(|piece| {
        let pressed = program.along(piece, x).map(|w| -w);
        largest(&nearest(&piece.law.far(), piece.rows, &pressed)[..piece.rows])
    })
}

/// The work of a load in a motion, and the least work of rows with bounds. Where these are infinite, [`closings`] counts.
pub(super) fn surplus(program: &Program, x: &[[f64; DOF]], load: &[[f64; DOF]]) -> f64 {
    let of_piece = |piece: &Piece| {
        let Law::Bounded { lower, upper } = piece.law else { return 0.0 };
        let w = program.along(piece, x)[0];
        [lower * w, upper * w].into_iter().filter(|work| work.is_finite()).fold(f64::INFINITY, f64::min)
    };
    work(x, load) + program.pieces.iter().map(of_piece).sum::<f64>()
}

fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |largest, x| largest.max(x.abs()))
}

/// The work of a load: the square of its part that nothing carries, where `x` is that.
fn work(x: &[[f64; DOF]], load: &[[f64; DOF]]) -> f64 {
    x.iter().flatten().zip(load.iter().flatten()).map(|(x, load)| x * load).sum()
}
