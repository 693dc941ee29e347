//! Neighbours do not overlap, one byte more does, and what is NULL or empty overlaps nothing.

use crate::ffi::guard::{Region, check_overlap};

#[test]
fn a_byte_in_common_is_an_overlap() {
    let bytes = [0u8; 16];
    let (first, rest) = bytes.split_at(8);
    let left = Region::new("left", first.as_ptr(), 8);
    let right = Region::new("right", rest.as_ptr(), 8);
    assert!(check_overlap(&[left], &[right]).is_ok());
    assert!(check_overlap(&[left, right], &[]).is_ok());
    let wide = Region::new("wide", first.as_ptr(), 9);
    let message = check_overlap(&[wide], &[right]).expect_err("they share a byte").message;
    assert!(message.contains("wide") && message.contains("right"), "{message}");
    assert!(check_overlap(&[wide, right], &[]).is_err());
    assert!(check_overlap(&[right], &[wide]).is_err());
}

#[test]
fn inputs_may_overlap_each_other_and_nothing_overlaps_nothing() {
    let numbers = [0.0; 4];
    let all = Region::new("all", numbers.as_ptr(), 4);
    assert!(check_overlap(&[], &[all, all]).is_ok());
    assert!(check_overlap(&[Region::new("none", numbers.as_ptr(), 0)], &[all]).is_ok());
    assert!(check_overlap(&[Region::new("null", std::ptr::null::<f64>(), 4)], &[all]).is_ok());
    // a count whose bytes no address space holds reaches to its end
    assert!(check_overlap(&[Region::new("endless", numbers.as_ptr(), usize::MAX)], &[all]).is_err());
}
