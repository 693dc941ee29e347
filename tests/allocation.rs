//! A solver and a world keep their workspace: the second call with a problem of the same size, and a settled step, allocate nothing. A step
//! that finds no memory is refused and leaves no trace.
//!
//! Counted are the calling thread's allocations, by an allocator that hands everything on to the system's, except one that is to fail.

#![allow(unsafe_code)] // an allocator, and calls of the C interface
#![allow(clippy::expect_used, clippy::panic)] // a test fails by panicking

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ffi::CStr;

use drystone::body::{Definition, Kind};
use drystone::ffi::problem::{
    dry_contact_solution, dry_problem, dry_problem_body, dry_problem_contact, dry_problem_row, dry_solution,
};
use drystone::ffi::settings::dry_settings;
use drystone::ffi::shapes::dry_shape_sphere;
use drystone::ffi::solver::{dry_solver, dry_solver_create, dry_solver_destroy, dry_solver_solve};
use drystone::ffi::status::dry_last_error;
use drystone::ffi::status_code::dry_status;
use drystone::ffi::step::dry_step_report;
use drystone::ffi::world::{dry_world_create, dry_world_def, dry_world_destroy};
use drystone::id::Handle;
use drystone::joint::{JointAxis, JointDefinition, JointKind};
use drystone::shape::Shape;
use drystone::world::{JointRequest, Settings, World};

struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
    /// The number of the allocation that fails.
    static FAILING: Cell<usize> = const { Cell::new(usize::MAX) };
}

/// Counts an allocation. Returns whether it is to succeed.
fn count() -> bool {
    let counted = ALLOCATIONS.try_with(|number| {
        number.set(number.get() + 1);
        number.get()
    });
    counted.is_err() || FAILING.try_with(Cell::get) != counted
}

// SAFETY: everything is the system allocator's work; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as promised to this function.
        if count() { unsafe { System.alloc(layout) } } else { std::ptr::null_mut() }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as promised to this function.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as promised to this function.
        if count() { unsafe { System.realloc(pointer, layout, size) } } else { std::ptr::null_mut() }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const STEP: f64 = 0.01;
const CUBES: u32 = 20;

/// A column of cubes of edge 1, each on four corners of the one below, and a ball. Every second contact has rolling
/// resistance, and each body is pushed by a row of its own.
struct Scene {
    bodies: Vec<dry_problem_body>,
    contacts: Vec<dry_problem_contact>,
    rows: Vec<dry_problem_row>,
}

fn contact(
    key: u64,
    [body_a, body_b]: [u32; 2],
    arm_a: [f64; 3],
    arm_b: [f64; 3],
    rolling: f64,
) -> dry_problem_contact {
    dry_problem_contact {
        key,
        body_a,
        body_b,
        normal: [0.0, 0.0, 1.0],
        arm_a,
        arm_b,
        normal_bias: 0.0,
        surface_velocity: [0.0; 3],
        normal_compliance: 0.0,
        tangential_compliance: 0.0,
        friction: 0.5,
        rolling,
        twisting: rolling,
        stiffness: 0.0,
    }
}

fn scene() -> Scene {
    let mut scene = Scene { bodies: Vec::new(), contacts: Vec::new(), rows: Vec::new() };
    for body in 0..=CUBES {
        scene.bodies.push(dry_problem_body {
            inverse_mass: 1.0,
            inverse_inertia: [6.0, 6.0, 6.0, 0.0, 0.0, 0.0],
            velocity: [0.0, 0.0, -9.81 * STEP],
            angular_velocity: [0.0; 3],
        });
        let below = body.checked_sub(1).unwrap_or(u32::MAX);
        // the last one is a ball: its contact is central
        let corners: &[[f64; 2]] = &[[-0.5, -0.5], [0.5, -0.5], [-0.5, 0.5], [0.5, 0.5]];
        let corners = if body == CUBES { &[[0.0, 0.0]] } else { corners };
        for (k, [x, y]) in (0..).zip(corners) {
            let rolling = if k % 2 == 1 { 0.01 } else { 0.0 };
            let key = 1 + 10 * u64::from(body) + k;
            scene.contacts.push(contact(key, [below, body], [*x, *y, 0.5], [*x, *y, -0.5], rolling));
        }
        scene.rows.push(dry_problem_row {
            key: 1000 + u64::from(body),
            body_a: u32::MAX,
            body_b: body,
            jacobian_a: [0.0; 6],
            jacobian_b: [1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            rhs: 1.0,
            compliance: 0.0,
            lower: -1e-4,
            upper: 1e-4,
            friction_row: -1,
            reserved: 0,
        });
    }
    scene
}

/// Solves the scene on `solver`; answers how many allocations it took, and the report.
fn solved(solver: *mut dry_solver, settings: &dry_settings, scene: &Scene) -> (usize, dry_step_report) {
    let mut velocities = vec![0.0; 6 * scene.bodies.len()];
    let mut contacts: Vec<dry_contact_solution> = Vec::with_capacity(scene.contacts.len());
    let mut row_impulses = vec![0.0; scene.rows.len()];
    let mut report = dry_step_report { struct_size: size_of::<dry_step_report>(), ..Default::default() };
    let problem = dry_problem {
        struct_size: size_of::<dry_problem>(),
        step: STEP,
        bodies: scene.bodies.as_ptr(),
        body_count: scene.bodies.len(),
        contacts: scene.contacts.as_ptr(),
        contact_count: scene.contacts.len(),
        rows: scene.rows.as_ptr(),
        row_count: scene.rows.len(),
    };
    let mut solution = dry_solution {
        struct_size: size_of::<dry_solution>(),
        velocities: velocities.as_mut_ptr(),
        contacts: contacts.as_mut_ptr(),
        row_impulses: row_impulses.as_mut_ptr(),
        report: &raw mut report,
        compatible_row_impulses: std::ptr::null_mut(),
    };
    let before = ALLOCATIONS.get();
    // SAFETY: a living solver, whole structures, and arrays of the lengths that the problem says.
    let status = unsafe { dry_solver_solve(solver, &raw const problem, settings, &raw mut solution) };
    let allocations = ALLOCATIONS.get() - before;
    assert!(status == dry_status::DRY_OK);
    (allocations, report)
}

#[test]
fn the_second_call_allocates_nothing() {
    let (scene, mut solver) = (scene(), std::ptr::null_mut());
    let mut settings = dry_settings { iterations: 30, ..Default::default() };
    // SAFETY: a place for a pointer.
    assert!(unsafe { dry_solver_create(&raw mut solver) } == dry_status::DRY_OK);
    // Every order of the sweeps, with every kind of row, with and without a tolerance.
    for (sweep, friction) in [(0u32, 0u32), (1, 0), (2, 0), (3, 0), (0, 2)] {
        for tolerance in [0.0, 1e-9] {
            settings.tolerance = tolerance;
            // SAFETY: enumerations of C are numbers of 32 bits.
            unsafe {
                (&raw mut settings.sweep).cast::<u32>().write(sweep);
                (&raw mut settings.friction_law).cast::<u32>().write(friction);
            }
            let (first, _) = solved(solver, &settings, &scene);
            let (second, report) = solved(solver, &settings, &scene);
            assert_eq!(report.new_contacts, 0, "the second call is warm started");
            assert_eq!(second, 0, "sweep {sweep}, friction law {friction}, tolerance {tolerance}: first {first}");
        }
    }
    // Every form of the correction: Hooke, Hertz and any power, friction as it is and in the convex form.
    for (law, friction) in [(1u32, 0u32), (2, 0), (3, 0), (1, 1)] {
        settings.compatibility_exponent = 3.0;
        // SAFETY: enumerations of C are numbers of 32 bits.
        unsafe {
            (&raw mut settings.compatibility).cast::<u32>().write(law);
            (&raw mut settings.compatible_friction).cast::<u32>().write(friction);
        }
        let (first, cold) = solved(solver, &settings, &scene);
        let (second, report) = solved(solver, &settings, &scene);
        assert_eq!(second, 0, "compatibility {law}, friction {friction}: first {first}");
        assert_eq!((report.closed_contacts, report.flags & 12), (scene.contacts.len() as u32, 0), "law {law}");
        assert!(cold.compatibility_iterations + report.compatibility_iterations > 0, "law {law}");
    }
    // SAFETY: made by `dry_solver_create`, and not used after.
    unsafe { dry_solver_destroy(solver) };
    // that the counter counts: a new solver has no workspace yet
    solver = std::ptr::null_mut();
    // SAFETY: a place for a pointer.
    assert!(unsafe { dry_solver_create(&raw mut solver) } == dry_status::DRY_OK);
    assert!(solved(solver, &settings, &scene).0 > 10);
    // SAFETY: as above.
    unsafe { dry_solver_destroy(solver) };
}

/// Columns of boxes on a floor, and balls between them, at rest between two walls.
fn settled_world() -> World {
    let mut world =
        World::new(Settings { iterations: 20, ..Settings::default() }, [0.0, 0.0, -9.81]).expect("settings");
    let shapes = [Shape::sphere(0.5), Shape::cuboid([0.5; 3]), Shape::half_space([0.0, 0.0, 1.0], 0.0)]
        .map(|shape| world.add_shape(shape.expect("shape")).expect("memory"));
    let still = Definition { kind: Kind::Static, ..Definition::default() };
    world.add_body(&Definition { shape: shapes[2], ..still }).expect("a floor");
    for side in [-1.5, 9.5] {
        world.add_body(&Definition { shape: shapes[1], position: [side, 0.0, 0.5], ..still }).expect("a wall");
    }
    for k in 0..60 {
        let (column, layer) = (k % 10, k / 10);
        let position = [f64::from(column), 0.0, 0.5 + f64::from(layer)];
        // Balls alone on the floor: on each other they would fall.
        if column % 2 == 0 || layer == 0 {
            let shape = shapes[usize::from(column % 2 == 0)];
            world.add_body(&Definition { shape, position, ..Definition::default() }).expect("a body");
        }
    }
    hang_up(&mut world, shapes[0]);
    for _ in 0..100 {
        world.step(STEP).expect("a step");
    }
    world
}

/// Hangs two balls up, one below the other, by a hinge with a spring and by a rod.
fn hang_up(world: &mut World, shape: Handle) {
    let mut above = Handle::NULL;
    for (at, kind) in [JointKind::Hinge, JointKind::Distance].into_iter().enumerate() {
        let z = 40.0 - 3.0 * at as f64;
        let body =
            world.add_body(&Definition { shape, position: [0.0, 0.0, z], ..Definition::default() }).expect("a body");
        let mut definition = JointDefinition::new(kind);
        let mut axes = [JointAxis::new(kind); 6];
        if kind == JointKind::Hinge {
            let (point, axis) = ([0.0, 0.0, z + 2.0], [0.0, 1.0, 0.0]);
            world.place_joint(&mut definition, [above, body], &point, &axis, None).expect("frames");
            axes[5].stiffness = 1.0;
        } else {
            let points = [[0.0, 0.0, z + 3.0], [0.0, 0.0, z]];
            world.place_joint_points(&mut definition, [above, body], &points[0], &points[1]).expect("points");
        }
        world
            .add_joint(&JointRequest { definition, axes, body_a: above, body_b: body, user_data: 0 })
            .expect("a joint");
        above = body;
    }
}

#[test]
fn a_settled_step_allocates_nothing() {
    let mut world = settled_world();
    let before = ALLOCATIONS.get();
    for _ in 0..10 {
        world.step(STEP).expect("a step");
    }
    assert_eq!(ALLOCATIONS.get() - before, 0);
    assert!(world.contact_count() > 100, "{} contacts", world.contact_count());
    // that the counter counts: the first step of a world makes its workspace
    let before = ALLOCATIONS.get();
    settled_world();
    assert!(ALLOCATIONS.get() - before > 100);
}

/// Balls at rest on a floor, and a few that fly and roll through them against a slope. They are few enough that
/// detection updates its pairs instead of rebuilding them.
fn moving_world() -> World {
    let settings = Settings { substeps: 2, ..Settings::default() };
    let mut world = World::new(settings, [0.0, 0.0, -9.81]).expect("settings");
    for normal in [[0.0, 0.0, 1.0], [0.6, 0.0, 0.8]] {
        let shape = world.add_shape(Shape::half_space(normal, 0.0).expect("a shape")).expect("memory");
        world.add_body(&Definition { shape, kind: Kind::Static, ..Definition::default() }).expect("a wall");
    }
    let shape = world.add_shape(Shape::sphere(0.5).expect("a shape")).expect("memory");
    for k in 0..48 {
        let [x, y] = [k % 8, k / 8].map(f64::from);
        let position = [2.0 + 1.5 * x, 1.5 * y, 0.5];
        world.add_body(&Definition { shape, position, ..Definition::default() }).expect("a body at rest");
    }
    for k in 0..6 {
        let (position, linear_velocity) = ([14.0, 1.5 * f64::from(k), 1.6], [-20.0 + f64::from(k), 1.0, -2.0]);
        world.add_body(&Definition { shape, position, linear_velocity, ..Definition::default() }).expect("a body");
    }
    hang_up(&mut world, shape);
    world
}

/// Makes the allocation of this number in a step fail. Returns whether the step was refused; it is not without that allocation.
fn is_refused_without(world: &mut World, number: usize) -> bool {
    let before = world.hash();
    FAILING.set(ALLOCATIONS.get() + number);
    let result = world.step(STEP);
    let was_reached = ALLOCATIONS.get() >= FAILING.replace(usize::MAX);
    let Err(failure) = result else {
        assert!(!was_reached, "the step went on without its allocation {number}");
        return false;
    };
    assert_eq!(failure.error.kind, drystone::error::ErrorKind::Memory, "{failure:?}");
    assert_eq!(world.hash(), before, "allocation {number}");
    true
}

#[test]
fn a_step_without_memory_is_refused_and_leaves_no_trace() {
    let (mut world, mut undisturbed) = (moving_world(), moving_world());
    let mut refused = 0;
    for step in 0..60 {
        // Each allocation of the step fails once.
        refused += (1..).take_while(|number| is_refused_without(&mut world, *number)).count();
        undisturbed.step(STEP).expect("a step");
        assert_eq!(world.hash(), undisturbed.hash(), "step {step}");
    }
    assert!(refused > 50, "{refused} steps refused");
}

/// Detection rebuilds its pairs after a refusal. Here each world is refused once while it updates them, and then
/// updates them again.
#[test]
fn pairs_whose_update_was_refused_are_complete_afterwards() {
    let mut refused = 0;
    for (first, number) in (0..40).flat_map(|step| [(step, 1), (step, 2), (step, 3)]) {
        let (mut world, mut undisturbed) = (moving_world(), moving_world());
        for step in 0..60 {
            if step == first && is_refused_without(&mut world, number) {
                refused += 1;
                world.step(STEP).expect("a step");
            } else if step != first {
                world.step(STEP).expect("a step");
            }
            undisturbed.step(STEP).expect("a step");
            assert_eq!(world.hash(), undisturbed.hash(), "refused {number} in step {first}, differs in step {step}");
        }
    }
    assert!(refused > 10, "{refused} steps refused");
}

/// Whichever allocation of it fails: the status is that of the refusal, and its message at least begins with the function.
#[test]
fn a_refusal_without_memory_is_still_a_refusal() {
    let (def, mut world) = (dry_world_def::default(), std::ptr::null_mut());
    // SAFETY: a whole definition and a place for a pointer.
    assert!(unsafe { dry_world_create(&raw const def, &raw mut world) } == dry_status::DRY_OK);
    let refuse = |failing: usize| {
        let (mut shape, mut buffer) = (0, [0_u8; 1024]);
        ALLOCATIONS.set(0);
        FAILING.set(failing);
        // SAFETY: a living world, a place for a handle, and a buffer of the length that is given.
        let (status, _) = unsafe {
            let status = dry_shape_sphere(world, -1.0, &raw mut shape);
            (status, dry_last_error(buffer.as_mut_ptr().cast(), buffer.len(), std::ptr::null_mut()))
        };
        FAILING.set(usize::MAX);
        assert!(status == dry_status::DRY_ERR_ARGUMENT, "without allocation {failing}");
        CStr::from_bytes_until_nul(&buffer).expect("a text").to_string_lossy().into_owned()
    };
    assert_eq!(refuse(usize::MAX), "dry_shape_sphere: radius is -1, expected a number above 0");
    for failing in 1..=ALLOCATIONS.get() {
        let message = refuse(failing);
        assert!(message.starts_with("dry_shape_sphere: ") && message.len() > 18, "{failing}: {message}");
    }
    // SAFETY: made by `dry_world_create`, and not used after.
    unsafe { dry_world_destroy(world) };
}
