//! The clock of reports.

use std::thread::sleep;
use std::time::Duration;

use crate::tasks::Clock;

#[test]
fn laps_add_up_to_the_time_since_the_start() {
    let whole = Clock::start();
    let mut part = whole;
    sleep(Duration::from_millis(2));
    let first = part.lap();
    sleep(Duration::from_millis(2));
    let second = part.lap();
    assert!(first >= 2e-3 && second >= 2e-3, "{first} s and {second} s");
    assert!(whole.seconds() >= first + second, "{} s", whole.seconds());
}
