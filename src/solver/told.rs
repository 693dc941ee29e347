//! Problems whose contacts are told, not listed: each gets the number of its lane, so that whoever tells of them reads on, and jumps
//! nowhere.
//!
//! Fill again what was laid out ([`Solver::fill_told`]); where that cannot be, lay out anew ([`Solver::lay_out_told`]), give the contacts
//! the numbers that they have then, and fill ([`Solver::fill_renumbered`]). Then solve.

use crate::error::Result;
use crate::solver::contacts::Contacts;
use crate::solver::problem::{Impulses, Problem};
use crate::solver::solve::{Options, Outcome, Solver};
use crate::solver::wide::Posed;

impl<'a> Posed<'a> {
    /// A problem without rows whose contacts are told.
    fn told(problem: &'a Problem<'a>, contacts: &'a dyn Contacts, options: &Options) -> Self {
        Self { problem, contacts, factors: options.start.factors().unwrap_or([1.0; 2]) }
    }
}

impl Solver {
    /// Fills the lanes of the problem before with these contacts, if they `may` keep them and each can. Says whether it is so. The
    /// options are such as [need no list](Options::need_no_list).
    pub fn fill_told(
        &mut self,
        problem: &Problem,
        contacts: &dyn Contacts,
        options: &Options,
        may: bool,
    ) -> Result<bool> {
        self.load(problem)?;
        self.fill_again(Posed::told(problem, contacts, options), options, may)
    }

    /// Lays a problem out for which [`Solver::fill_told`] said no: `order` holds its contacts then in the order of their lanes, last those
    /// that have none. It is the `room` of its host for one number of each contact.
    pub fn lay_out_told(
        &mut self,
        problem: &Problem,
        contacts: &dyn Contacts,
        options: &Options,
        order: &mut Vec<u32>,
    ) -> Result<()> {
        self.rows.exchange_room(order);
        let laid_out = self.lay_out(Posed::told(problem, contacts, options), options, false);
        self.rows.exchange_room(order);
        laid_out
    }

    /// Fills the lanes that were laid out with the same contacts in that order.
    pub fn fill_renumbered(&mut self, problem: &Problem, contacts: &dyn Contacts, options: &Options) -> Result<()> {
        let posed = Posed::told(problem, contacts, options);
        self.pairs.renumber(posed, &*self.tasks);
        self.fill(posed)
    }

    /// Solves what was filled. `impulses` hold the answer.
    pub fn solve_told(
        &mut self,
        problem: &Problem,
        contacts: &dyn Contacts,
        options: &Options,
        impulses: &mut Impulses,
    ) -> Result<Outcome> {
        self.sweep(Posed::told(problem, contacts, options), options, impulses)
    }

    /// The next problem is laid out anew, whatever it is.
    pub fn forget_layout(&mut self) {
        self.pairs.forget();
    }
}
