//! What is offered, and in which range.

use crate::error::{Error, ErrorKind, Number};
use crate::solver::compatibility::{Elastic, Form};
use crate::solver::{self, StickProjection};
use crate::world::Settings;
use crate::world::settings::{
    Compatibility, CompatibleFriction, Diagnostics, ElasticLaw, FrictionLaw, LocalSolver, Method, Projection,
    SolverKind, Sweep, WarmStart,
};

fn error(change: impl Fn(&mut Settings)) -> Option<Error> {
    let mut settings = Settings::default();
    change(&mut settings);
    settings.check().err()
}

/// Every number of a choice is either offered or refused by its names, and what is offered is what is said here.
macro_rules! check_choice {
    ($field:ident, $choice:ident, $last:literal, $offered:expr) => {
        assert_eq!($choice::from_number($last + 1), None);
        for number in 0..=$last {
            let choice = $choice::from_number(number).expect("a choice");
            assert_eq!(choice as u32, number);
            let error = error(|settings| settings.$field = choice);
            if $offered.contains(&choice) {
                assert_eq!(error, None);
                continue;
            }
            let error = error.expect("not offered");
            let sentence = format!("{} is DRY_", stringify!($field));
            assert_eq!(error.kind, ErrorKind::Unsupported, "{error}");
            assert!(error.message.starts_with(&sentence), "{error}");
        }
    };
}

#[test]
fn what_is_not_offered_is_refused_by_name() {
    check_choice!(method, Method, 2, [Method::Rigid, Method::Spook, Method::Theta]);
    check_choice!(contact_law, ElasticLaw, 1, [ElasticLaw::Hertz, ElasticLaw::Hooke]);
    let solvers = [SolverKind::Pgs, SolverKind::PgsAccelerated, SolverKind::Newton, SolverKind::Apgd];
    check_choice!(solver, SolverKind, 4, solvers);
    let conic = |law| error(|settings| (settings.solver, settings.friction_law) = (SolverKind::Conic, law));
    assert_eq!(conic(FrictionLaw::Associated), None);
    assert!(conic(FrictionLaw::Box).is_some());
    check_choice!(sweep, Sweep, 3, [Sweep::Colored, Sweep::Natural, Sweep::Symmetric, Sweep::Random]);
    check_choice!(local_solver, LocalSolver, 1, [LocalSolver::Block]);
    let starts = [
        WarmStart::Off,
        WarmStart::History,
        WarmStart::Normals,
        WarmStart::HistoryNoVelocity,
        WarmStart::Guarded,
        WarmStart::Compatible,
    ];
    check_choice!(warm_start, WarmStart, 6, starts);
    let from_model = |method| error(|settings| (settings.method, settings.warm_start) = (method, WarmStart::Model));
    assert_eq!(from_model(Method::Spook), None);
    assert!(from_model(Method::Rigid).is_some());
    let rules = [FrictionLaw::Coulomb, FrictionLaw::Associated, FrictionLaw::Box];
    check_choice!(friction_law, FrictionLaw, 2, rules);
    check_choice!(projection, Projection, 2, [Projection::Off, Projection::Stick, Projection::Auto]);
    let laws = [Compatibility::Off, Compatibility::Hooke, Compatibility::Hertz, Compatibility::Power];
    check_choice!(compatibility, Compatibility, 3, laws);
    let forms = [
        CompatibleFriction::Off,
        CompatibleFriction::Associated,
        CompatibleFriction::Elastic,
        CompatibleFriction::Auto,
    ];
    check_choice!(compatible_friction, CompatibleFriction, 3, forms);
    assert_eq!(error(|settings| settings.sleeping = true), None);
}

#[test]
fn choices_are_called_as_the_header_calls_them() {
    let sentence = |change: fn(&mut Settings)| error(change).expect("not offered").message;
    assert_eq!(
        sentence(|settings| settings.solver = SolverKind::Conic),
        "solver is DRY_SOLVER_CONIC, which needs the friction_law DRY_FRICTION_ASSOCIATED, but that is DRY_FRICTION_COULOMB"
    );
    assert!(sentence(|settings| settings.local_solver = LocalSolver::Rows).contains("DRY_LOCAL_ROWS"));
    assert_eq!(
        sentence(|settings| settings.warm_start = WarmStart::Model),
        "warm_start is DRY_WARM_MODEL, which needs the method DRY_METHOD_SPOOK, but that is DRY_METHOD_RIGID"
    );
}

/// Checks that the values in `good` pass, that those in `bad` are refused by name, and that NaN and infinity are.
fn check_range(name: &str, set: fn(&mut Settings, f64), good: &[f64], bad: &[f64]) {
    for value in good {
        assert_eq!(error(|settings| set(settings, *value)), None, "{name} = {value}");
    }
    for value in bad.iter().chain(&[f64::NAN, f64::INFINITY, f64::NEG_INFINITY]) {
        let error = error(|settings| set(settings, *value)).expect(name);
        let kind = if value.is_finite() { ErrorKind::Argument } else { ErrorKind::NotFinite };
        assert_eq!(error.kind, kind, "{error}");
        assert!(error.message.starts_with(&format!("{name} is {}", Number(*value))), "{error}");
    }
}

/// Which test covers which setting: a new one does not compile until it stands here.
#[test]
fn every_setting_is_checked_or_free() {
    let Settings {
        // what_is_not_offered_is_refused_by_name
        method: _,
        solver: _,
        sweep: _,
        local_solver: _,
        warm_start: _,
        friction_law: _,
        projection: _,
        compatibility: _,
        compatible_friction: _,
        sleeping: _,
        contact_law: _,
        // numbers_out_of_range_are_refused_by_name
        tolerance: _,
        relaxation: _,
        warm_start_factor: _,
        theta: _,
        compatibility_exponent: _,
        compatibility_tolerance: _,
        tangential_stiffness: _,
        contact_margin: _,
        push_out_velocity: _,
        restitution_threshold: _,
        spook_relaxation: _,
        regularisation: _,
        // parts_of_a_step_are_1_to_1000
        substeps: _,
        // convergence_can_be_required_only_to_a_tolerance
        require_convergence: _,
        // Any value is good.
        position_projection,
        joint_solver: _,
        joint_aim: _,
        iterations: _,
        projection_passes: _,
        seed: _,
        newton_limit: _,
        diagnostics,
    } = Settings::default();
    let all = Diagnostics { energy: true, residuals: true };
    assert_eq!((diagnostics, error(|settings| settings.diagnostics = all)), (Diagnostics::default(), None));
    assert_eq!(error(|settings| settings.position_projection = !position_projection), None);
    for number in [0, 1, u32::MAX] {
        assert_eq!(error(|settings| settings.iterations = number), None);
        assert_eq!(error(|settings| settings.projection_passes = number), None);
        assert_eq!(error(|settings| settings.seed = number.into()), None);
        assert_eq!(error(|settings| settings.newton_limit = number), None);
    }
}

#[test]
fn parts_of_a_step_are_1_to_1000() {
    for substeps in [1, 1000] {
        assert_eq!(error(|settings| settings.substeps = substeps), None);
    }
    for substeps in [0, 1001, u32::MAX] {
        let error = error(|settings| settings.substeps = substeps).expect("out of range");
        assert!(error.message.starts_with(&format!("substeps is {substeps}")), "{error}");
    }
}

#[test]
fn numbers_out_of_range_are_refused_by_name() {
    let tiny = f64::MIN_POSITIVE;
    check_range("tolerance", |s, x| s.tolerance = x, &[0.0, 1.0], &[-tiny]);
    check_range("relaxation", |s, x| s.relaxation = x, &[tiny, 1.999], &[0.0, 2.0, -1.0]);
    check_range("warm_start_factor", |s, x| s.warm_start_factor = x, &[0.0, 1.0], &[-tiny, 1.0_f64.next_up()]);
    check_range("theta", |s, x| s.theta = x, &[0.5, 1.0], &[0.5_f64.next_down(), 1.0_f64.next_up()]);
    check_range(
        "compatibility_exponent",
        |s, x| s.compatibility_exponent = x,
        &[1.0_f64.next_up(), 1.5, 9.0],
        &[1.0, 0.0, -2.0],
    );
    check_range("compatibility_tolerance", |s, x| s.compatibility_tolerance = x, &[tiny], &[0.0, -1.0]);
    check_range("tangential_stiffness", |s, x| s.tangential_stiffness = x, &[tiny], &[0.0, -1.0]);
    check_range("contact_margin", |s, x| s.contact_margin = x, &[0.0, 1.0], &[-tiny]);
    check_range("push_out_velocity", |s, x| s.push_out_velocity = x, &[0.0, 1.0], &[-tiny]);
    check_range("restitution_threshold", |s, x| s.restitution_threshold = x, &[0.0, 1.0], &[-tiny]);
}

#[test]
fn convergence_can_be_required_only_to_a_tolerance() {
    let require = |tolerance: f64| {
        error(|settings| {
            settings.require_convergence = true;
            settings.tolerance = tolerance;
        })
    };
    assert_eq!(require(0.0).expect("no tolerance").kind, ErrorKind::Argument);
    assert_eq!(require(1e-9), None);
}

#[test]
fn every_choice_reaches_the_solver() {
    let method = |solver: SolverKind| Settings { solver, newton_limit: 7, ..Settings::default() }.options().method;
    assert_eq!(method(SolverKind::Pgs), solver::Method::Pgs);
    assert_eq!(method(SolverKind::PgsAccelerated), solver::Method::Accelerated);
    assert_eq!(method(SolverKind::Newton), solver::Method::Newton { limit: 7 });
    assert_eq!(method(SolverKind::Apgd), solver::Method::Apgd);
    assert_eq!(method(SolverKind::Conic), solver::Method::Conic);
    let projection = |projection: Projection, projection_passes: u32| {
        Settings { projection, projection_passes, ..Settings::default() }.options().projection
    };
    assert_eq!(projection(Projection::Off, 5), StickProjection::Off);
    assert_eq!(projection(Projection::Stick, 5), StickProjection::Always(5));
    assert_eq!(projection(Projection::Auto, 5), StickProjection::WhereItPays(5));
    assert_eq!(projection(Projection::Stick, 0), StickProjection::Off);
    assert_eq!(projection(Projection::Auto, 0), StickProjection::Off);
}

/// A sample of the settings of the correction.
#[test]
fn every_choice_reaches_the_correction() {
    let elastic = |compatibility: Compatibility, compatible_friction: CompatibleFriction| {
        let settings = Settings {
            compatibility,
            compatible_friction,
            compatibility_exponent: 3.5,
            compatibility_tolerance: 1e-11,
            tangential_stiffness: 0.75,
            tolerance: 1e-6,
            ..Settings::default()
        };
        settings.elastic(0.5)
    };
    assert_eq!(elastic(Compatibility::Off, CompatibleFriction::Elastic), None);
    let laws = [(Compatibility::Hooke, 2.0), (Compatibility::Hertz, 2.5), (Compatibility::Power, 3.5)];
    let forms = [
        (CompatibleFriction::Off, Form::Normal),
        (CompatibleFriction::Associated, Form::Associated),
        (CompatibleFriction::Elastic, Form::Elastic),
        (CompatibleFriction::Auto, Form::Auto),
    ];
    for (law, exponent) in laws {
        for (friction, form) in forms {
            let expected = Elastic { exponent, form, ratio: 0.75, tolerance: 1e-11, closing: 1e-6, touching: 2e-6 };
            assert_eq!(elastic(law, friction), Some(expected));
        }
    }
}
