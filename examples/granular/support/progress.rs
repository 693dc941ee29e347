//! How far a study is, and how long it will take, on the standard error output.

use super::clock::wall_time;

/// The progress of a study of known work.
#[derive(Debug)]
pub(crate) struct Progress {
    is_shown: bool,
    total: f64,
    done: f64,
    /// Of an earlier program: the first part that each of its runs shows.
    found: f64,
    is_under_way: bool,
    begin: f64,
    shown: f64,
}

impl Progress {
    /// `total` work, in any unit that grows as the time does.
    pub(crate) fn new(is_shown: bool, total: f64) -> Self {
        let begin = wall_time();
        Self { is_shown, total, done: 0.0, found: 0.0, is_under_way: false, begin, shown: begin }
    }

    /// Adds work that must be done.
    pub(crate) fn require(&mut self, work: f64) {
        self.total += work;
    }

    /// Adds finished work. Work of an earlier run that is only read again counts as `skip`.
    pub(crate) fn add(&mut self, work: f64, what: &str) {
        self.done += work;
        self.is_under_way = false;
        self.show(what, true);
    }

    /// Removes work that need not be done.
    pub(crate) fn skip(&mut self, work: f64) {
        self.total -= work;
    }

    /// Shows a part of the work that is under way, at most once a second. What is done at the first call is of an earlier program.
    pub(crate) fn part(&mut self, work: f64, what: &str) {
        if !self.is_under_way {
            self.is_under_way = true;
            self.found += work;
        }
        let done = self.done;
        self.done += work;
        self.show(what, false);
        self.done = done;
    }

    fn show(&mut self, what: &str, always: bool) {
        let now = wall_time();
        if !self.is_shown || !(always || now - self.shown >= 1.0) {
            return;
        }
        self.shown = now;
        let share = (self.done / self.total).clamp(0.0, 1.0);
        let left =
            (now - self.begin) * (self.total - self.done).max(0.0) / (self.done - self.found).max(1e-9 * self.total);
        eprint!("\r{:5.1} %, {} left  {what:<50}", 100.0 * share, clock(left));
        if always && self.done >= self.total {
            eprintln!();
        }
    }
}

/// Writes seconds as hours, minutes and seconds.
fn clock(seconds: f64) -> String {
    let whole = seconds.min(3.6e6).round() as u64;
    format!("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60)
}
