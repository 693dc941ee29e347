//! A pile below a source of grains, as in [W] 4.2: its height by sweeps and starts, and what is left of the residual at rest.
//!
//!     cargo run --release --example granular_pile -- --size small --plot pile.svg

#[path = "pile/form.rs"]
mod form;
#[path = "pile/picture.rs"]
mod picture;
mod support;

use drystone::world::settings::SolverKind;
use drystone::world::{BodyState, Projection, Settings};
use serde_json::{Value, json};

use form::Recipe;
use support::Failure;
use support::arguments::{Arguments, Start};
use support::frames::{self, Frames};
use support::grains::{from_numbers, settings, to_numbers};
use support::judge::{Judge, geometric_mean, sweeps_for};
use support::progress::Progress;
use support::reference;
use support::resting::{Solved, solve_again};
use support::saved::Saved;
use support::study::{Study, number};

/// Height of the pile of the paper's size in [W], about, over the diameter.
const PRINTED_HEIGHT: f64 = 15.0;

/// Errors of the height at which sweeps are compared.
const TOLERANCES: [f64; 3] = [0.05, 0.1, 0.2];

/// How long a pile stands whose creep is measured [s].
const CREEP: f64 = 100.0;

/// Heights by sweeps, of one start.
pub(crate) struct Heights {
    pub(crate) start: Start,
    /// Sweeps and heights over the diameter.
    pub(crate) points: Vec<(f64, f64)>,
}

impl Heights {
    /// Returns sweeps and relative errors against a reference.
    pub(crate) fn errors(&self, reference: f64) -> Vec<(f64, f64)> {
        self.points.iter().map(|(sweeps, height)| (*sweeps, (reference - height).abs() / reference)).collect()
    }
}

/// Residuals by sweeps: mean, and by kind of row.
#[derive(Debug, Clone, Copy, serde::Serialize, serde::Deserialize)]
pub(crate) struct Residuals {
    pub(crate) sweeps: f64,
    pub(crate) mean: f64,
    pub(crate) normal: f64,
    pub(crate) friction: f64,
    pub(crate) rolling: f64,
    /// [W] (13), against the last of all numbers of sweeps.
    pub(crate) force_error: f64,
}

impl Residuals {
    fn of(solved: &[Solved]) -> Vec<Self> {
        let Some(last) = solved.iter().max_by_key(|one| one.sweeps) else { return Vec::new() };
        let of = |one: &Solved| Self {
            sweeps: f64::from(one.sweeps),
            mean: one.mean,
            normal: one.normal,
            friction: one.friction,
            rolling: one.rolling,
            force_error: one.force_error(last),
        };
        solved.iter().map(of).collect()
    }
}

/// Residuals of a pile at rest: after a second with so many sweeps per step, and during one solve.
pub(crate) struct Resting {
    pub(crate) start: Start,
    pub(crate) after_a_second: Vec<Residuals>,
    pub(crate) during_a_solve: Vec<Residuals>,
}

/// All that the judges and the figure need.
pub(crate) struct Results {
    /// Over the diameter.
    pub(crate) reference: f64,
    /// The height that [W] prints, over the diameter, of the paper's size.
    pub(crate) printed: Option<f64>,
    pub(crate) heights: Vec<Heights>,
    pub(crate) resting: Vec<Resting>,
}

/// A program under way.
struct Program {
    arguments: Arguments,
    study: Study,
    count: usize,
    /// How long a pile stands whose creep is measured [s].
    standing: f64,
    progress: Progress,
}

fn main() -> Result<(), Failure> {
    let own = [
        ("grains", "N         number of grains"),
        ("reference", "R      accelerated (of the small size), or fine (h 0.2 ms, 500 sweeps; of the paper's)"),
        ("parts", "A,B,..     heights, resting, creep"),
        ("stand", "T          how long a pile stands whose creep is measured [s]"),
        frames::OPTION,
    ];
    let arguments = Arguments::parse(&own)?;
    let count = arguments.number("grains", arguments.by_size(600, 3363))?;
    let study = Study::open("pile", &arguments)?;
    let progress = Progress::new(arguments.progress, 0.0);
    let parts = arguments.own_list("parts", &["heights", "resting", "creep"].map(String::from))?;
    let has = |part: &str| parts.iter().any(|one| one == part);
    let standing = arguments.number("stand", CREEP)?;
    let mut program = Program { arguments, study, count, standing, progress };
    program.plan(has);
    let mut judge = Judge::default();
    let (reference, heights) = if has("heights") { program.heights()? } else { (f64::NAN, Vec::new()) };
    let resting = if has("resting") { program.resting()? } else { Vec::new() };
    let printed = program.arguments.is_paper().then_some(PRINTED_HEIGHT);
    let results = Results { reference, printed, heights, resting };
    judge_heights(&results, &mut judge);
    judge_residuals(&results, &mut judge);
    if has("creep") {
        program.creep(&mut judge)?;
    }
    judge.report("pile", program.arguments.by_size("small", "paper"));
    if let Some(path) = &program.arguments.plot {
        picture::plot(path, &results)?;
    }
    Ok(())
}

impl Program {
    /// Adds the work of these parts.
    fn plan(&mut self, has: impl Fn(&str) -> bool) {
        let mut work = 0.0;
        if has("heights") {
            work += self.recipes().iter().chain([&self.reference()]).map(Recipe::work).sum::<f64>();
        }
        let prepared = self.pile_to_go_on_from();
        if (has("resting") || has("creep")) && self.study.find(&prepared.parameters("prepared")).is_none() {
            work += prepared.work();
        }
        if has("resting") {
            let sweeps = self.sweeps_at_rest();
            let seconds = sweeps.iter().map(|sweeps| prepared.work_of_a_second(*sweeps)).sum::<f64>();
            work += 2.0 * (seconds + prepared.work_of_a_second(sweeps.iter().copied().max().unwrap_or(1)));
        }
        if has("creep") {
            work += 4.0 * self.standing * prepared.work_of_a_second(prepared.iterations);
        }
        self.progress.require(work);
    }

    /// Forms the pile of a recipe, unless that run is finished.
    fn form(&mut self, recipe: Recipe, kind: &str) -> Result<Value, Failure> {
        let Self { study, progress, .. } = self;
        if study.find(&recipe.parameters(kind)).is_some() {
            progress.skip(recipe.work());
            return study.run(&recipe.parameters(kind), |_| Err("finished".into()));
        }
        let what = format!("{} sweeps, {}", recipe.iterations, recipe.start.label());
        let name = format!("pile_{kind}_{}_{}", recipe.start.name(), recipe.iterations);
        let mut frames = Frames::new(&self.arguments, &name)?;
        let run = study.run(&recipe.parameters(kind), |saved| {
            let mut watch = |grains: usize, time: f64| {
                progress.part(recipe.work() * time / recipe.seconds(), &format!("{grains} grains, {what}"))
            };
            Ok(recipe.form(&mut frames, saved, &mut watch)?.1.results())
        })?;
        self.progress.add(recipe.work(), &what);
        Ok(run)
    }

    /// Returns the recipes of the piles whose heights are compared.
    fn recipes(&self) -> Vec<Recipe> {
        let usual = self.arguments.by_size(&[10, 25, 50, 100][..], &[10, 25, 50, 100, 200, 500]);
        let starts = [Start::Cold, Start::History, Start::NoVelocity, Start::Normals, Start::Model];
        let starts = self.arguments.starts_or(&starts);
        let sweeps = self.arguments.iterations_or(usual);
        let of = |start: Start| sweeps.iter().map(move |sweeps| Recipe::new(self.count, start, *sweeps));
        starts.into_iter().flat_map(of).collect()
    }

    /// Returns the height of the reference and those by sweeps and starts.
    fn heights(&mut self) -> Result<(f64, Vec<Heights>), Failure> {
        let mut heights: Vec<Heights> = Vec::new();
        for recipe in self.recipes() {
            let point = (f64::from(recipe.iterations), number(&self.form(recipe, "height")?, "height_d"));
            match heights.last_mut() {
                Some(last) if last.start == recipe.start => last.points.push(point),
                _ => heights.push(Heights { start: recipe.start, points: vec![point] }),
            }
        }
        Ok((number(&self.form(self.reference(), "reference")?, "height_d"), heights))
    }

    /// Returns the recipe of the reference.
    fn reference(&self) -> Recipe {
        let usual = Recipe { share: 1.0, ..Recipe::new(self.count, Start::History, 500) };
        match self.arguments.own("reference").unwrap_or(self.arguments.by_size("accelerated", "fine")) {
            "fine" => Recipe { h: 2e-4, ..usual },
            _ => Recipe {
                solver: SolverKind::PgsAccelerated,
                tolerance: reference::TOLERANCE,
                iterations: reference::SWEEPS,
                ..usual
            },
        }
    }

    /// Returns the recipe of the pile at rest from which the other parts go on.
    fn pile_to_go_on_from(&self) -> Recipe {
        Recipe::new(self.count, Start::History, self.arguments.by_size(100, 500))
    }

    /// Returns the states of that pile.
    fn prepared(&mut self) -> Result<Vec<BodyState>, Failure> {
        let recipe = self.pile_to_go_on_from();
        let (parameters, what) = (recipe.parameters("prepared"), "pile to go on from");
        let Self { study, progress, .. } = self;
        if study.find(&parameters).is_none() {
            study.record(&parameters, |saved| {
                let mut watch = |grains: usize, time: f64| {
                    progress.part(recipe.work() * time / recipe.seconds(), &format!("{grains} grains, {what}"))
                };
                let grains = recipe.form(&mut Frames::default(), saved, &mut watch)?.0;
                Ok(json!({"states": grains.states()?.iter().map(to_numbers).collect::<Vec<_>>()}))
            })?;
            progress.add(recipe.work(), what);
        }
        let states = study.find(&parameters).map(|run| run["states"].clone());
        let states: Vec<[f64; 13]> = serde_json::from_value(states.unwrap_or_default())?;
        Ok(states.iter().map(from_numbers).collect())
    }

    /// Runs an experiment that goes on from the pile at rest, unless it is finished.
    fn go_on(
        &mut self,
        parameters: &Value,
        work: f64,
        experiment: impl FnOnce(&[BodyState], &mut Saved) -> Result<Value, Failure>,
    ) -> Result<Value, Failure> {
        if self.study.find(parameters).is_some() {
            self.progress.skip(work);
            return self.study.run(parameters, |_| Err("finished".into()));
        }
        let states = self.prepared()?;
        let run = self.study.run(parameters, |saved| experiment(&states, saved))?;
        self.progress.add(work, "pile at rest");
        Ok(run)
    }

    /// Returns the sweeps of a step of piles at rest.
    fn sweeps_at_rest(&self) -> Vec<u32> {
        self.arguments.by_size(&[1, 2, 5, 10, 20, 50, 100, 200][..], &[1, 2, 5, 10, 20, 50, 100, 200, 500]).to_vec()
    }

    /// Measures the residuals of a pile at rest.
    fn resting(&mut self) -> Result<Vec<Resting>, Failure> {
        let sweeps = self.sweeps_at_rest();
        let mut all = Vec::new();
        for start in [Start::Cold, Start::History] {
            let mut after_a_second = Vec::new();
            for sweeps in &sweeps {
                let run = self.rest(start, *sweeps)?;
                after_a_second.push(serde_json::from_value(run["residuals"].clone())?);
            }
            let during_a_solve = serde_json::from_value(self.solve(start, &sweeps)?["residuals"].clone())?;
            all.push(Resting { start, after_a_second, during_a_solve });
        }
        Ok(all)
    }

    /// Rests for a second with so many sweeps per step.
    fn rest(&mut self, start: Start, sweeps: u32) -> Result<Value, Failure> {
        let parameters = json!({"kind": "resting", "grains": self.count, "warm": start.name(), "iterations": sweeps});
        let work = self.pile_to_go_on_from().work_of_a_second(sweeps);
        self.go_on(&parameters, work, |states, _| {
            let solved = form::rest(states, start, sweeps)?;
            Ok(json!({"residuals": Residuals::of(&[solved]).first()}))
        })
    }

    /// Rests for a second with the most sweeps, and measures during the solve that follows.
    fn solve(&mut self, start: Start, sweeps: &[u32]) -> Result<Value, Failure> {
        let max_sweeps = sweeps.iter().copied().max().unwrap_or(1);
        let parameters = json!({"kind": "solve", "grains": self.count, "warm": start.name(), "iterations": max_sweeps});
        let work = self.pile_to_go_on_from().work_of_a_second(max_sweeps);
        self.go_on(&parameters, work, |states, _| {
            let mut grains = form::go_on(states, settings(start, max_sweeps))?;
            for _ in 0..200 {
                grains.world.step(support::grains::STEP)?;
            }
            let solved = solve_again(&mut grains, support::grains::STEP, sweeps)?;
            Ok(json!({"residuals": Residuals::of(&solved)}))
        })
    }

    /// Lets the pile stand: solved to a tolerance without regularisation, with the stick projection too, and as [W].
    fn creep(&mut self, judge: &mut Judge) -> Result<(), Failure> {
        let usual = settings(Start::History, self.pile_to_go_on_from().iterations);
        // A residual that keeps its sign moves a grain by the tolerance in each second: 1e-8 m in all, below a millionth of a diameter.
        let exact =
            Settings { tolerance: 1e-10, regularisation: 0.0, warm_start_factor: 1.0, iterations: 5000, ..usual };
        let cases = [
            ("gamma 0, tolerance 1e-10", exact),
            ("gamma 0, tolerance 1e-10, stick projection", Settings { projection: Projection::Stick, ..exact }),
            ("history as [W]", usual),
            ("cold as [W]", Settings { warm_start: Start::Cold.setting(), ..usual }),
        ];
        let work = self.standing * self.pile_to_go_on_from().work_of_a_second(usual.iterations);
        for (name, settings) in cases {
            let parameters = json!({
                "kind": "creep", "grains": self.count, "settings": name, "iterations": settings.iterations, "over": self.standing,
            });
            let seconds = self.standing;
            let stand = |states: &[BodyState], saved: &mut Saved| form::stand(states, settings, [2.0, seconds], saved);
            let run = self.go_on(&parameters, work, stand)?;
            if settings.regularisation == 0.0 {
                let name = format!("change of height over {seconds} s, {name} [d]");
                judge.at_most(name, number(&run, "height_change_d").abs(), 1e-6);
            }
        }
        Ok(())
    }
}

/// Returns sweeps of one start over those of another at equal errors, the mean of those tolerances at which both are known.
fn relative_sweeps(results: &Results, start: Start, over: Start) -> f64 {
    let of = |start: Start| results.heights.iter().find(|heights| heights.start == start);
    let (Some(one), Some(other)) = (of(start), of(over)) else { return f64::NAN };
    let (one, other) = (one.errors(results.reference), other.errors(results.reference));
    let ratio = |tolerance| Some(sweeps_for(&one, tolerance)? / sweeps_for(&other, tolerance)?);
    geometric_mean(&TOLERANCES.into_iter().filter_map(ratio).collect::<Vec<_>>())
}

/// Returns the mean ratio of the errors of one start to those of another at equal sweeps.
fn relative_error(results: &Results, start: Start, over: Start) -> f64 {
    let of = |start: Start| results.heights.iter().find(|heights| heights.start == start);
    let (Some(one), Some(other)) = (of(start), of(over)) else { return f64::NAN };
    let (one, other) = (one.errors(results.reference), other.errors(results.reference));
    geometric_mean(&one.iter().zip(&other).map(|(one, other)| one.1 / other.1).collect::<Vec<_>>())
}

fn judge_heights(results: &Results, judge: &mut Judge) {
    let Some(cold) = results.heights.iter().find(|heights| heights.start == Start::Cold) else { return };
    judge.within("sweeps of history over cold", relative_sweeps(results, Start::History, Start::Cold), 0.3, 0.7);
    let no_velocity = relative_error(results, Start::NoVelocity, Start::Cold);
    judge.at_least("height error without velocities over cold, equal sweeps", no_velocity, 1.0);
    for start in [Start::Normals, Start::Model] {
        let name = format!("sweeps of {} over cold", start.label());
        judge.within(name, relative_sweeps(results, start, Start::Cold), 0.7, 1.3);
    }
    let lowest = cold.points.first().map_or(f64::NAN, |point| point.1);
    judge.at_most("height with the fewest cold sweeps, over the reference", lowest / results.reference, 0.5);
}

fn judge_residuals(results: &Results, judge: &mut Judge) {
    let [cold, warm] = &results.resting[..] else { return };
    type Part = fn(&Residuals) -> f64;
    let kinds: [(&str, Part); 4] = [
        ("all rows", |of| of.mean),
        ("normals", |of| of.normal),
        ("friction", |of| of.friction),
        ("rolling", |of| of.rolling),
    ];
    for (name, kind) in kinds {
        let gain = |(cold, warm): (&Residuals, &Residuals)| kind(cold) / kind(warm);
        let all: Vec<f64> = cold.after_a_second.iter().zip(&warm.after_a_second).map(gain).collect();
        let mean = geometric_mean(&all);
        if name == "all rows" {
            judge.within("residual at rest, cold over history, equal sweeps", mean, 3.0, 8.0);
        }
        println!(
            "{}",
            json!({"experiment": "pile", "kind": "gain at rest", "rows": name, "mean": mean, "by_sweeps": all})
        );
    }
}
