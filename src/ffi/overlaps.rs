//! Which bodies a shape would overlap at a pose.

use crate::id::Handle;
use crate::world::{Overlap, ShapePose};

use super::guard;
use super::handle::{self, dry_body, dry_shape, dry_world};
use super::status_code::dry_status;

/// A shape at a pose. Frozen: it never changes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct dry_shape_pose {
    /// The shape; any kind, whether bodies have it or not.
    pub shape: dry_shape,
    /// Of the shape's origin, world axes [m].
    pub position: [f64; 3],
    /// Unit quaternion (x, y, z, w).
    pub rotation: [f64; 4],
}

/// A body that a shape at a pose would overlap. Frozen: it never changes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct dry_overlap {
    /// The index of the pose, from 0.
    pub pose: u64,
    /// The body.
    pub body: dry_body,
    /// The least gap between the two; below 0: overlap [m].
    pub gap: f64,
}

impl From<Overlap> for dry_overlap {
    fn from(overlap: Overlap) -> Self {
        Self { pose: overlap.pose as u64, body: overlap.body.0, gap: overlap.gap }
    }
}

/// Lists the bodies that shapes at poses would overlap. A source of grains can call it before it adds one. It uses
/// the present positions, also of bodies that were added or moved since the last step. Nothing changes.
///
/// A body is listed for a pose if its gap to the shape there is below margin. With a margin of 0 bodies that touch
/// are not listed. All bodies count, whatever their kinds, filters and joints, and whether they sleep. Gaps are those
/// of contacts; in a periodic world they are those of the nearest image. As in a step, half-spaces and meshes do not
/// overlap each other. A mesh is its surface: a shape inside that does not touch the surface does not overlap it.
///
/// Many poses in one call cost much less than as many calls. The poses do not overlap each other.
///
/// poses: the shapes and where they would be.
/// pose_count: their number. With 0, poses may be NULL.
/// margin: 0 or above [m]. In a periodic world twice the radius of a shape and the margin fit into half of each
/// period.
///
/// overlaps: receives them by pose, those of one pose in the order of the bodies' creation, if there is room for all.
/// With NULL and capacity 0 the call returns the number alone.
/// capacity: overlaps that there is room for. Too few: DRY_ERR_CAPACITY, and only count is written.
/// count: receives the number of overlaps.
///
/// DRY_ERR_ARGUMENT, DRY_ERR_NOT_FINITE, DRY_ERR_STALE_HANDLE: the message names the member, as in "poses[3]: rotation".
/// DRY_ERR_UNSUPPORTED: a NURBS curve whose z axis is not that of the world.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_query_overlaps(
    world: *const dry_world,
    poses: *const dry_shape_pose,
    pose_count: usize,
    margin: f64,
    overlaps: *mut dry_overlap,
    capacity: usize,
    count: *mut usize,
) -> dry_status {
    guard::run("dry_query_overlaps", || {
        // SAFETY: the host gives `pose_count` poses, room for `capacity` overlaps, and a place for a number.
        let (world, poses, buffer) = unsafe {
            (
                handle::of(world)?,
                guard::array(["poses", "pose_count"], poses, pose_count)?,
                guard::buffer("overlaps", overlaps, size_of::<dry_overlap>(), capacity, count)?,
            )
        };
        let found = world.read(|world| world.overlaps(poses.iter().map(shape_pose), margin))?;
        buffer.fill("overlaps", found.len(), found.iter().copied().map(dry_overlap::from))
    })
}

fn shape_pose(pose: &dry_shape_pose) -> ShapePose {
    ShapePose { shape: Handle(pose.shape), position: pose.position, rotation: pose.rotation }
}
