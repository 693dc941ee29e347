//! The stages of a step about contacts that stick: their targets before the solve, and the anchors that the step leaves.

use crate::error::Result;
use crate::world::anchors::{AnchorInput, TargetInput, find_anchors, find_targets};
use crate::world::images::ImageInput;
use crate::world::settings::Method;
use crate::world::state::{Workspace, World};
use crate::world::substeps::Substep;

impl World {
    /// Finds how surfaces and images move in the step, and what the contacts are to do that stick.
    pub(in crate::world) fn find_targets(&mut self, first: &Substep) -> Result<()> {
        let Workspace { detector, contact_list, index, motion, anchors: work, .. } = &mut self.workspace;
        let (bodies, anchors, substeps, Substep { step, pace, .. }) =
            (&self.bodies, &self.anchors, self.settings.substeps, *first);
        let images = ImageInput { detector, rates: &self.strain_rate };
        // With the associated law sliding lifts bodies, so a target would raise bodies at rest. Friction with memory needs no target.
        let follows = self.settings.friction().dilation() == 0.0 && self.settings.method != Method::Theta;
        let input = TargetInput { bodies, contact_list, index, anchors, motion, step, substeps, images, pace, follows };
        find_targets(&input, work)
    }

    /// Finds the anchors that the step leaves.
    pub(in crate::world) fn find_anchors(&mut self, substep: &Substep) -> Result<()> {
        let Workspace { contact_list, index, assembly, solver, loads, motion, anchors, .. } = &mut self.workspace;
        let (bodies, lanes, substep) = (&self.bodies, &loads.lanes[..], *substep);
        let input = AnchorInput { bodies, contact_list, index, assembly, solver, lanes, motion, substep };
        find_anchors(&input, anchors)
    }
}
