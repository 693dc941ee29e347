use crate::joint::{JointRow, SideVector};
use crate::math::Vec3;

#[test]
fn the_velocity_of_a_row_is_that_of_b_relative_to_a() {
    let row = JointRow::turning(Vec3::new(1.0, 2.0, 3.0));
    let spin = |x, y, z| SideVector { linear: Vec3::repeat(9.0), angular: Vec3::new(x, y, z) };
    // 1 * (4 - 1) + 2 * (5 - 1) + 3 * (6 - 1) = 26.
    assert_eq!(row.velocity(&spin(1.0, 1.0, 1.0), &spin(4.0, 5.0, 6.0)), 26.0);
    let both = JointRow { a: spin(1.0, 0.0, 0.0), b: SideVector::ZERO };
    // Three times 9 * 9, and 1 * 2.
    assert_eq!(both.velocity(&spin(2.0, 3.0, 4.0), &SideVector::ZERO), 245.0);
    assert_eq!(JointRow::ZERO.velocity(&spin(1.0, 1.0, 1.0), &spin(1.0, 1.0, 1.0)), 0.0);
}
