//! Files of a world for VTK: every array is what the queries say, bit by bit.

use super::scene::Scene;
use crate::body::{Definition, Kind};
use crate::error::ErrorKind;
use crate::math::Vec3;
use crate::query::fields::KernelKind;
use crate::shape::Shape;
use crate::tasks::Serial;
use crate::vtk::tests::Folder;
use crate::vtk::tests::read_back::ReadBack;
use crate::world::export::{Export, Frame, Grid};
use crate::world::{ContactReport, Settings, World};

const ALL: Export = Export {
    grains: true,
    contacts: true,
    surfaces: true,
    fields: true,
    sides: 8,
    half_space_size: 0.0,
    grid: Grid { origin: [-1.0, -1.5, 0.25], spacing: [0.5, 0.75, 0.1], counts: [4, 3, 5] },
    kernel: KernelKind::Gaussian,
    width: 0.5,
};

/// Three balls and a box on a floor, which roll and slide, and a static ball that one of them touches.
fn scene() -> Scene {
    let mut scene = Scene::new(Settings::default());
    scene.floor();
    let shape = scene.world.add_shape(Shape::cuboid([0.5, 0.25, 0.25]).expect("a box")).expect("memory");
    let linear_velocity = [0.5, 0.25, 0.0];
    scene.add(&Definition {
        shape,
        position: [3.0, 0.0, 0.25],
        linear_velocity,
        user_data: 77,
        ..Definition::default()
    });
    scene.add(&Definition { kind: Kind::Static, ..scene.ball_at([-1.0, 0.0, 0.5]) });
    for (x, z) in [(0.0, 0.5), (0.98, 0.5), (0.5, 1.36)] {
        scene.add(&Definition { linear_velocity, user_data: 5, ..scene.ball_at([x, 0.0, z]) });
    }
    scene.steps(3);
    scene
}

fn write(world: &World, prefix: &str, step: u64, export: &Export) -> crate::error::Result<()> {
    world.export(&Frame { prefix, step, time: 0.25 * step as f64 }, export, &Serial)
}

fn read(folder: &Folder, name: &str) -> ReadBack {
    ReadBack::new(&std::fs::read(folder.path().join(name)).expect("a file"))
}

fn flat<const N: usize>(vectors: impl IntoIterator<Item = [f64; N]>) -> Vec<f64> {
    vectors.into_iter().flatten().collect()
}

#[test]
fn files_of_all_parts_and_their_series() {
    let folder = Folder::new("export-all");
    let scene = scene();
    write(&scene.world, &folder.at("run"), 0, &ALL).expect("files");
    write(&scene.world, &folder.at("run"), 12, &ALL).expect("files");
    let mut expected = Vec::new();
    for (part, extension) in [("contacts", "vtp"), ("fields", "vti"), ("grains", "vtp"), ("surfaces", "vtp")] {
        expected.extend([
            format!("run_{part}.pvd"),
            format!("run_{part}_000000.{extension}"),
            format!("run_{part}_000012.{extension}"),
        ]);
    }
    expected.sort();
    assert_eq!(folder.files(), expected);
    let series = std::fs::read_to_string(folder.at("run_fields.pvd")).expect("a file");
    assert!(series.contains("<DataSet timestep=\"3\" part=\"0\" file=\"run_fields_000012.vti\"/>"), "{series}");
    assert_eq!(read(&folder, "run_grains_000012.vtp").floats("FieldData/TimeValue", 1), [3.0]);
}

#[test]
fn grains_are_what_queries_say() {
    let folder = Folder::new("export-grains");
    let scene = scene();
    let world = &scene.world;
    write(world, &folder.at("run"), 1, &ALL).expect("files");
    let found = read(&folder, "run_grains_000001.vtp");
    let spheres: Vec<_> = world.body_handles().skip(2).collect();
    let states: Vec<_> = spheres.iter().map(|body| scene.state(*body)).collect();
    assert_eq!(found.floats("Points/Points", 3), flat(states.iter().map(|state| state.position)));
    assert_eq!(found.indices("Verts/connectivity"), [0, 1, 2, 3]);
    assert_eq!(found.integers("PointData/body"), spheres.iter().map(|body| body.0).collect::<Vec<_>>());
    assert_eq!(found.integers("PointData/kind"), [0, 2, 2, 2]);
    assert_eq!(found.integers("PointData/user_data"), [0, 5, 5, 5]);
    assert_eq!(found.floats("PointData/radius", 1), [0.5; 4]);
    assert_eq!(found.floats("PointData/mass", 1), [0.0, 1.0, 1.0, 1.0]);
    assert_eq!(found.floats("PointData/velocity", 3), flat(states.iter().map(|state| state.linear_velocity)));
    assert_eq!(found.floats("PointData/spin", 3), flat(states.iter().map(|state| state.angular_velocity)));
    let forces = found.floats("PointData/force", 3);
    for (body, found) in spheres.iter().zip(forces.chunks(3)) {
        let expected = scene.force(*body);
        assert!(found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() <= 1e-12), "{found:?}");
    }
    // Sum V sigma over all dynamic bodies equals the stress of the box around all bodies, up to the box's own part.
    let stress = found.floats("PointData/stress", 9);
    assert_eq!(stress[..9], [0.0; 9]);
    let volume = std::f64::consts::PI / 6.0;
    let sum = |entry: usize| stress.chunks(9).map(|stress| stress[entry] * volume).sum::<f64>();
    let whole = world.stress([-2.0, -1.0, -1.0], [2.2, 1.0, 3.0]).expect("a box");
    for (entry, whole) in whole.into_iter().enumerate() {
        assert!((sum(entry) - whole * 4.2 * 2.0 * 4.0).abs() <= 1e-12, "{entry}: {}", sum(entry));
    }
    assert!(sum(8) < -5.0);
}

#[test]
fn contacts_are_what_queries_say() {
    let folder = Folder::new("export-contacts");
    let scene = scene();
    write(&scene.world, &folder.at("run"), 1, &ALL).expect("files");
    let found = read(&folder, "run_contacts_000001.vtp");
    let contacts: Vec<ContactReport> = scene.world.contacts().collect();
    assert!(contacts.len() >= 8, "{}", contacts.len());
    let integers = |of: fn(&ContactReport) -> u64| contacts.iter().map(of).collect::<Vec<_>>();
    assert_eq!(found.integers("CellData/key"), integers(|contact| contact.key));
    assert_eq!(found.integers("CellData/body_a"), integers(|contact| contact.body_a.0));
    assert_eq!(found.integers("CellData/body_b"), integers(|contact| contact.body_b.0));
    assert_eq!(found.integers("CellData/state"), integers(|contact| contact.state.into()));
    let floats = |of: fn(&ContactReport) -> f64| contacts.iter().map(of).collect::<Vec<_>>();
    assert_eq!(found.floats("CellData/gap", 1), floats(|contact| contact.gap));
    assert_eq!(found.floats("CellData/normal_force", 1), floats(|contact| contact.normal_force));
    assert_eq!(found.floats("CellData/compatible_normal_force", 1), floats(|contact| contact.compatible_normal_force));
    let vectors = |of: fn(&ContactReport) -> [f64; 3]| flat(contacts.iter().map(of));
    assert_eq!(found.floats("CellData/point", 3), vectors(|contact| contact.point));
    assert_eq!(found.floats("CellData/normal", 3), vectors(|contact| contact.normal));
    assert_eq!(found.floats("CellData/friction_force", 3), vectors(|contact| contact.friction_force));
    assert_eq!(found.floats("CellData/impact_force", 3), vectors(|contact| contact.impact_force));
    assert_eq!(
        found.floats("CellData/compatible_friction_force", 3),
        vectors(|contact| contact.compatible_friction_force)
    );
    assert_eq!(found.floats("CellData/rolling_torque", 3), vectors(|contact| contact.rolling_torque));
    assert_eq!(found.floats("CellData/relative_velocity", 3), vectors(|contact| contact.relative_velocity));
    // Between balls a line leads along the normal from centre to centre; at walls it ends at the contact point.
    let ends = found.floats("Points/Points", 3);
    let is_dynamic = |body| scene.world.body_mass(body).expect("a body").mass > 0.0;
    let mut checked = [0; 2];
    for (contact, ends) in contacts.iter().zip(ends.chunks(6)) {
        let (start, end) = (Vec3::from_column_slice(&ends[..3]), Vec3::from_column_slice(&ends[3..]));
        let is_wall = !is_dynamic(contact.body_a);
        if is_wall {
            assert_eq!(start, Vec3::from(contact.point));
        } else {
            let along = Vec3::from(contact.normal) * (1.0 + contact.gap);
            assert!((end - start - along).norm() <= 1e-14, "{start} {end}");
        }
        checked[usize::from(is_wall)] += 1;
    }
    assert!(checked[0] >= 2 && checked[1] >= 6, "{checked:?}");
}

#[test]
fn surfaces_are_at_their_places() {
    let folder = Folder::new("export-surfaces");
    let scene = scene();
    write(&scene.world, &folder.at("run"), 1, &Export { half_space_size: 10.0, ..ALL }).expect("files");
    let found = read(&folder, "run_surfaces_000001.vtp");
    let points = found.floats("Points/Points", 3);
    let bodies: Vec<_> = scene.world.body_handles().take(2).collect();
    // A square of 10 m, and a box of 6 faces.
    assert_eq!(points.len(), 3 * (4 + 8));
    assert_eq!(found.indices("Polys/offsets"), [4, 8, 12, 16, 20, 24, 28]);
    let per_polygon = |floor: u64, block: u64| [vec![floor], vec![block; 6]].concat();
    assert_eq!(found.integers("CellData/body"), per_polygon(bodies[0].0, bodies[1].0));
    assert_eq!(found.integers("CellData/kind"), per_polygon(0, 2));
    assert_eq!(found.integers("CellData/user_data"), per_polygon(0, 77));
    let corners: Vec<Vec3> = points.chunks(3).map(Vec3::from_column_slice).collect();
    assert!(corners[..4].iter().all(|corner| corner.z == 0.0));
    assert!(((corners[1] - corners[0]).norm() - 10.0).abs() <= 1e-14);
    let middle = corners[4..].iter().sum::<Vec3>() / 8.0;
    assert!((middle - Vec3::from(scene.state(bodies[1]).position)).norm() <= 1e-14);
    assert_eq!(found.floats("CellData/velocity", 3)[3..6], scene.velocity(bodies[1]));
    let force = found.floats("CellData/force", 3)[..3].to_vec();
    assert!(
        force.iter().zip(scene.force(bodies[0])).all(|(found, expected)| (found - expected).abs() <= 1e-11),
        "{force:?}"
    );
}

#[test]
fn fields_are_those_of_the_query() {
    let folder = Folder::new("export-fields");
    let scene = scene();
    write(&scene.world, &folder.at("run"), 1, &ALL).expect("files");
    let found = read(&folder, "run_fields_000001.vti");
    let line = |axis: usize| {
        (0..ALL.grid.counts[axis]).map(move |at| ALL.grid.origin[axis] + ALL.grid.spacing[axis] * f64::from(at))
    };
    let points: Vec<[f64; 3]> =
        line(2).flat_map(|z| line(1).flat_map(move |y| line(0).map(move |x| [x, y, z]))).collect();
    let fields = scene.world.fields(&points, ALL.kernel, ALL.width, &Serial).expect("fields");
    assert_eq!(found.floats("PointData/density", 1), fields.iter().map(|field| field.density).collect::<Vec<_>>());
    assert_eq!(found.floats("PointData/momentum", 3), flat(fields.iter().map(|field| field.momentum)));
    assert_eq!(found.floats("PointData/velocity", 3), flat(fields.iter().map(|field| field.velocity)));
    assert_eq!(
        found.floats("PointData/packing_fraction", 1),
        fields.iter().map(|field| field.packing_fraction).collect::<Vec<_>>()
    );
    let temperatures: Vec<f64> = fields.iter().map(|field| field.granular_temperature).collect();
    assert_eq!(found.floats("PointData/granular_temperature", 1), temperatures);
    assert!(temperatures.iter().any(|temperature| *temperature > 0.0));
    assert_eq!(found.floats("PointData/kinetic_stress", 9), flat(fields.iter().map(|field| field.kinetic_stress)));
    assert_eq!(found.floats("PointData/contact_stress", 9), flat(fields.iter().map(|field| field.contact_stress)));
}

#[test]
fn an_empty_world_has_empty_files() {
    let folder = Folder::new("export-empty");
    let world = World::new(Settings::default(), [0.0; 3]).expect("a world");
    write(&world, &folder.at("run"), 0, &ALL).expect("files");
    assert!(read(&folder, "run_grains_000000.vtp").floats("Points/Points", 3).is_empty());
    assert!(read(&folder, "run_contacts_000000.vtp").integers("CellData/key").is_empty());
    assert_eq!(read(&folder, "run_fields_000000.vti").floats("PointData/density", 1), [0.0; 60]);
}

#[test]
fn a_refused_export_leaves_no_file() {
    let folder = Folder::new("export-refused");
    let scene = scene();
    let run = folder.at("run");
    let refused = |prefix: &str, time: f64, export: &Export| {
        scene.world.export(&Frame { prefix, step: 1, time }, export, &Serial).expect_err("refused")
    };
    let grid = |counts, spacing| Export { grid: Grid { counts, spacing, ..ALL.grid }, ..ALL };
    for (error, message) in [
        (refused(&run, f64::NAN, &ALL), "time is NaN"),
        (refused("", 0.0, &ALL), "prefix is \"\", expected"),
        (refused(&folder.at("run/"), 0.0, &ALL), "prefix is "),
        (refused(&folder.at("a\nb"), 0.0, &ALL), "prefix is "),
        (refused(&run, 0.0, &Export { sides: 2, ..ALL }), "sides is 2, expected 3 to 1024"),
        (refused(&run, 0.0, &Export { half_space_size: -1.0, ..ALL }), "half_space_size is -1"),
        (refused(&run, 0.0, &grid([0, 1, 1], [1.0; 3])), "grid_count[0] is 0, expected 1 to 2147483647"),
        (refused(&run, 0.0, &grid([1, 1, 1], [1.0, 0.0, 1.0])), "grid_spacing[1] is 0"),
        (
            refused(&run, 0.0, &grid([1 << 20; 3], [1.0; 3])),
            "grid_count is [1048576, 1048576, 1048576], 1152921504606846976 points, expected",
        ),
        (refused(&run, 0.0, &Export { width: -1.0, ..ALL }), "width is -1"),
    ] {
        assert!(error.message.starts_with(message), "{error}, not {message}");
    }
    assert_eq!(refused(&folder.at("nowhere/run"), 0.0, &ALL).kind, ErrorKind::Io);
    // A series that is another file: nothing of the step is written.
    std::fs::write(folder.at("run_surfaces.pvd"), "mine").expect("a file");
    assert_eq!(refused(&run, 0.0, &ALL).kind, ErrorKind::Format);
    assert_eq!(folder.files(), ["run_surfaces.pvd"]);
}
