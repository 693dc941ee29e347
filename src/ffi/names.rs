//! The names of objects in C. Each is a number: a kind, an index and a generation, checked on every call.

/// A material of a world. 0 is null: the world's default material.
pub type dry_material = u64;

/// A shape of a world. 0 is null.
pub type dry_shape = u64;

/// A body of a world. 0 is null; as a partner of a contact: the fixed world.
pub type dry_body = u64;

/// A joint of a world. 0 is null. No function takes one yet.
pub type dry_joint = u64;
