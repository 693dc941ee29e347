//! Neighbours do not overlap, one byte more does, and what is NULL or empty overlaps nothing.

use crate::ffi::overlap::{Region, check};

#[test]
fn a_byte_in_common_is_an_overlap() {
    let bytes = [0u8; 16];
    let (first, rest) = bytes.split_at(8);
    let left = Region::new("left", first.as_ptr(), 8);
    let right = Region::new("right", rest.as_ptr(), 8);
    assert!(check(&[left], &[right]).is_ok());
    assert!(check(&[left, right], &[]).is_ok());
    let wide = Region::new("wide", first.as_ptr(), 9);
    let message = check(&[wide], &[right]).expect_err("they share a byte").message;
    assert!(message.contains("wide") && message.contains("right"), "{message}");
    assert!(check(&[wide, right], &[]).is_err());
    assert!(check(&[right], &[wide]).is_err());
}

#[test]
fn inputs_may_overlap_each_other_and_nothing_overlaps_nothing() {
    let numbers = [0.0; 4];
    let all = Region::array("all", numbers.as_ptr(), 4);
    assert!(check(&[], &[all, all]).is_ok());
    assert!(check(&[Region::array("none", numbers.as_ptr(), 0)], &[all]).is_ok());
    assert!(check(&[Region::array("null", std::ptr::null::<f64>(), 4)], &[all]).is_ok());
    // a count whose bytes no address space holds reaches to its end
    assert!(check(&[Region::array("endless", numbers.as_ptr(), usize::MAX)], &[all]).is_err());
}
