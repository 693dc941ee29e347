//! Contact problems in files (.dsfc): read, as the solver's types.
//!
//! `tests/c/dsfc.h` has the layout. In the files normals point from b to a and impulses act on a.

use std::path::{Path, PathBuf};

use drystone::math::{BodyRow, Mat3, Symmetric3, Vec3};
use drystone::solver::operator::assembly::{Assembly, frame};
use drystone::solver::operator::reduced::{Block, Law, Reduced, Symmetric};
use drystone::solver::problem::cone::Cone;
use drystone::solver::problem::islands::Islands;
use drystone::solver::problem::{Contact, Friction, MassInverse, OptionalTerms, Problem, Velocity};

/// A problem of a file.
pub(crate) struct Dsfc {
    /// The file's name without its ending.
    pub(crate) name: String,
    /// Given by its Delassus operator.
    pub(crate) reduced: Reduced,
    bodies: Option<Bodies>,
}

/// The same as bodies and contacts.
struct Bodies {
    masses: Vec<MassInverse>,
    velocities: Vec<Velocity>,
    contacts: Vec<Contact>,
    optional: Vec<OptionalTerms>,
    /// Rows n, t1, t2 of each contact.
    frames: Vec<Mat3>,
}

/// The folder that `DRYSTONE_PROBLEMS` names, else `../shared/problems` beside the project, if there is one.
pub(crate) fn folder() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/problems");
    let folder = std::env::var_os("DRYSTONE_PROBLEMS").map_or_else(beside, PathBuf::from);
    folder.is_dir().then_some(folder)
}

/// The files of a folder, by name.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|end| end == "dsfc")).collect();
    files.sort();
    files
}

/// The bytes of a file, taken from the front.
struct Cursor<'a>(&'a [u8]);

impl Cursor<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (front, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*front)
    }

    fn index(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    fn indices(&mut self, count: usize) -> Option<Vec<u32>> {
        (0..count).map(|_| self.index()).collect()
    }

    fn numbers(&mut self, count: usize) -> Option<Vec<f64>> {
        (0..count).map(|_| self.take().map(f64::from_le_bytes)).collect()
    }

    fn vectors(&mut self, count: usize) -> Option<Vec<Vec3>> {
        let numbers = self.numbers(3 * count)?;
        Some(numbers.chunks_exact(3).map(Vec3::from_column_slice).collect())
    }

    fn matrices(&mut self, count: usize) -> Option<Vec<Mat3>> {
        let numbers = self.numbers(9 * count)?;
        Some(numbers.chunks_exact(9).map(Mat3::from_row_slice).collect())
    }
}

impl Dsfc {
    /// Reads a file; `None` if it is not what it claims.
    pub(crate) fn read(path: &Path) -> Option<Self> {
        let bytes = std::fs::read(path).ok()?;
        let mut file = Cursor(&bytes);
        (file.take()? == *b"DSFC").then_some(())?;
        let [_, flags, dim, count, blocks, bodies, _] = <[u32; 7]>::try_from(file.indices(7)?).ok()?;
        let (dim, count, blocks, bodies) = (dim as usize, count as usize, blocks as usize, bodies as usize);
        let friction = file.numbers(count)?;
        let rolling = if dim == 5 { file.numbers(count)? } else { vec![0.0; count] };
        let q = file.numbers(dim * count)?;
        let offsets = file.indices(count + 1)?;
        let columns = file.indices(blocks)?;
        if (count + 1 + blocks) % 2 == 1 {
            file.index()?;
        }
        let values = file.numbers(blocks * dim * dim)?;
        if flags & 1 != 0 {
            file.numbers(2 * dim * count)?;
        }
        let bodies = if flags & 2 != 0 { Some(Bodies::read(&mut file, bodies, &friction)?) } else { None };
        let matrix = scalar_rows(dim, &offsets, &columns, &values);
        let cones = friction.iter().zip(&rolling).map(|(mu, mu_r)| Cone {
            friction: *mu,
            rolling: *mu_r,
            twisting: 0.0,
            dilation: 0.0,
        });
        let blocks = cones.enumerate().map(|(index, cone)| block(&matrix, dim * index, dim, cone)).collect();
        let name = path.file_stem()?.to_str()?.to_string();
        Some(Self { name, reduced: Reduced { matrix, q, blocks }, bodies })
    }

    /// The largest differences of `W` and of `q` as made from the bodies, relative to their largest entries; `None`
    /// without bodies.
    pub(crate) fn compare(&self) -> Option<(f64, f64)> {
        let bodies = self.bodies.as_ref()?;
        let problem = Problem {
            masses: &bodies.masses,
            velocities: &bodies.velocities,
            contacts: &bodies.contacts,
            optional: &bodies.optional,
            rows: &[],
            friction: Friction::Coulomb,
        };
        let mut islands = Islands::default();
        islands.find(&problem).ok()?;
        // the island of each contact, its first row there, and the turn from the solver's frame to the file's
        let mut places = vec![(usize::MAX, 0, Mat3::identity()); bodies.contacts.len()];
        let mut made = Vec::new();
        for number in 0..islands.len() {
            let island = islands.get(number);
            let mut reduced = Reduced::default();
            Assembly::default().reduce(&problem, &island, &mut reduced).ok()?;
            for (contact, block) in island.contacts.iter().zip(&reduced.blocks) {
                let [n, t1, t2] = frame(&bodies.contacts[*contact]);
                let turn = bodies.frames[*contact] * Mat3::from_columns(&[n, t1, t2]);
                places[*contact] = (number, block.first, turn);
            }
            made.push(reduced);
        }
        let (mut worst, mut largest) = (0.0, 0.0);
        let (mut worst_q, mut largest_q) = (0.0, 0.0);
        for (i, (island_i, row, turn_i)) in places.iter().enumerate() {
            let of = &made[*island_i];
            let q = turn_i * Vec3::from_column_slice(&of.q[*row..row + 3]);
            for k in 0..3 {
                worst_q = f64::max(worst_q, (q[k] - self.reduced.q[3 * i + k]).abs());
                largest_q = f64::max(largest_q, q[k].abs());
            }
            for (j, (island_j, column, turn_j)) in places.iter().enumerate() {
                let entry =
                    |a: usize, b: usize| if island_i == island_j { of.matrix.entry(row + a, column + b) } else { 0.0 };
                let ours = turn_i * Mat3::from_fn(entry) * turn_j.transpose();
                let theirs = Mat3::from_fn(|a, b| self.reduced.matrix.entry(3 * i + a, 3 * j + b));
                worst = f64::max(worst, (ours - theirs).amax());
                largest = f64::max(largest, theirs.amax());
            }
        }
        Some((worst / largest, worst_q / largest_q))
    }
}

impl Bodies {
    fn read(file: &mut Cursor, count: usize, friction: &[f64]) -> Option<Self> {
        let contacts = friction.len();
        let mass = file.numbers(count)?;
        let inertia = file.vectors(count)?;
        let turns = file.matrices(count)?;
        let free = file.vectors(2 * count)?;
        let [ca, cb] = [file.indices(contacts)?, file.indices(contacts)?];
        let frames = file.matrices(contacts)?;
        let [ra, rb, offset] = [file.vectors(contacts)?, file.vectors(contacts)?, file.vectors(contacts)?];
        let masses = (0..count).map(|b| MassInverse {
            linear: Vec3::repeat(1.0 / mass[b]),
            angular: Symmetric3::diagonal(inertia[b].map(|moment| 1.0 / moment).into()).rotated(&turns[b]),
        });
        let velocities = free.chunks_exact(2).map(|pair| Velocity { linear: pair[0], angular: pair[1] });
        let body = |index: u32| if index == u32::MAX { BodyRow::NONE } else { BodyRow(index) };
        let contact = |i: usize| Contact {
            body_a: body(cb[i]),
            body_b: body(ca[i]),
            normal: frames[i].row(0).transpose(),
            arm_a: rb[i],
            arm_b: ra[i],
            normal_bias: offset[i].x,
            friction: friction[i],
        };
        let optional = |i: usize| {
            let [t1, t2] = [1, 2].map(|row| frames[i].row(row).transpose());
            OptionalTerms { surface_velocity: -(offset[i].y * t1 + offset[i].z * t2), ..OptionalTerms::NONE }
        };
        Some(Self {
            masses: masses.collect(),
            velocities: velocities.collect(),
            contacts: (0..contacts).map(contact).collect(),
            optional: (0..contacts).map(optional).collect(),
            frames,
        })
    }
}

/// The rows of a matrix given by blocks, columns rising.
fn scalar_rows(dim: usize, offsets: &[u32], columns: &[u32], values: &[f64]) -> Symmetric {
    let mut matrix = Symmetric { offsets: vec![0], ..Symmetric::default() };
    for pair in offsets.windows(2) {
        let mut places: Vec<usize> = (pair[0] as usize..pair[1] as usize).collect();
        places.sort_by_key(|place| columns[*place]);
        for row in 0..dim {
            for place in &places {
                for column in 0..dim {
                    matrix.columns.push(dim * columns[*place] as usize + column);
                    matrix.values.push(values[dim * (dim * place + row) + column]);
                }
            }
            matrix.offsets.push(matrix.columns.len());
        }
    }
    matrix
}

fn block(matrix: &Symmetric, first: usize, dimension: usize, cone: Cone) -> Block {
    let diagonal = |k: usize| matrix.entry(first + k, first + k);
    let scale = (diagonal(0) + diagonal(1) + diagonal(2)) / 3.0;
    let turning = if dimension == 5 { 0.5 * (diagonal(3) + diagonal(4)) } else { 0.0 };
    let length = if turning > 0.0 { (0.5 * (diagonal(1) + diagonal(2)) / turning).sqrt() } else { 1.0 };
    Block { first, law: Law::Contact { cone, dimension }, scale, length }
}
