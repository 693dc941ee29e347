// Which contact is which of the last step's.
#include "keys.hpp"

#include <algorithm>

namespace drystone_ode {

static size_t slot_of(const void *first, const void *second, size_t slots) {
  const uint64_t a = reinterpret_cast<uintptr_t>(first) >> 4, b = reinterpret_cast<uintptr_t>(second) >> 4;
  return static_cast<size_t>((a * UINT64_C(0x9E3779B97F4A7C15) ^ b * UINT64_C(0xC2B2AE3D27D4EB4F)) >> 20) &
         (slots - 1);
}

uint32_t Keys::find(const void *first, const void *second) const {
  if (slots_.empty()) return NONE;
  for (size_t slot = slot_of(first, second, slots_.size()); slots_[slot] != 0;
       slot = (slot + 1) & (slots_.size() - 1)) {
    const Pair &pair = old_pairs_[slots_[slot] - 1];
    if (pair.first == first && pair.second == second) return slots_[slot] - 1;
  }
  return NONE;
}

bool Keys::reversed(const void *first, const void *second) const {
  return find(first, second) == NONE && find(second, first) != NONE;
}

void Keys::begin() {
  points_.clear();
  pairs_.clear();
  for (Point &point : old_points_) point.taken = false;
}

void Keys::open(const void *first, const void *second) {
  const uint32_t begin = static_cast<uint32_t>(points_.size());
  pairs_.push_back({first, second, begin, begin, NONE});
}

void Keys::match(Point &point, uint32_t pair, bool alone, double reach) {
  double nearest = reach * reach;
  Point *best = nullptr;
  for (; pair != NONE; pair = old_pairs_[pair].next) {
    const Pair &old = old_pairs_[pair];
    if (alone && old.end - old.begin == 1 && old.next == NONE) nearest = INFINITY;
    for (uint32_t i = old.begin; i < old.end; i++) {
      Point &candidate = old_points_[i];
      const Vector way = candidate.place - point.place;
      if (candidate.taken || candidate.side1 != point.side1 || candidate.side2 != point.side2) continue;
      if (dot(way, way) < nearest) nearest = dot(way, way), best = &candidate;
    }
  }
  if (best != nullptr) best->taken = true, point.before = best->now, point.settles = best->settles;
  point.fresh = best == nullptr;
  point.key = point.fresh ? next_key_++ : best->key;
}

void Keys::close(double reach) {
  Pair &run = pairs_.back();
  run.end = static_cast<uint32_t>(points_.size());
  const uint32_t old = find(run.first, run.second);
  for (uint32_t i = run.begin; i < run.end; i++) match(points_[i], old, run.end - run.begin == 1, reach);
}

void Keys::share_settling() {
  for (const Pair &run : pairs_) {
    const auto begin = points_.begin() + run.begin, end = points_.begin() + run.end;
    const auto settles = [](const Point &point) { return point.settles; };
    if (std::any_of(begin, end, settles)) std::for_each(begin, end, [](Point &point) { point.settles = true; });
  }
}

void Keys::commit() {
  std::swap(points_, old_points_);
  std::swap(pairs_, old_pairs_);
  size_t slots = std::max<size_t>(slots_.size(), 64);
  while (slots < 2 * old_pairs_.size()) slots *= 2;
  slots_.assign(slots, 0);
  for (uint32_t i = 0; i < old_pairs_.size(); i++) {
    Pair &pair = old_pairs_[i];
    const uint32_t other = find(pair.first, pair.second);
    if (other != NONE) {  // behind the first run, in front of the others
      pair.next = old_pairs_[other].next;
      old_pairs_[other].next = i;
      continue;
    }
    size_t slot = slot_of(pair.first, pair.second, slots);
    while (slots_[slot] != 0) slot = (slot + 1) & (slots - 1);
    slots_[slot] = i + 1;
  }
}

}  // namespace drystone_ode
