// Which contact is which of the last step's.
#ifndef DRYSTONE_ODE_KEYS_HPP
#define DRYSTONE_ODE_KEYS_HPP

#include "vector.hpp"

#include <cstdint>
#include <vector>

namespace drystone_ode {

const uint32_t NONE = UINT32_MAX;
const uint64_t KEYS_OF_A_CONTACT = 8;  // its rows are at most six

// Keys of contacts, by which drystone remembers impulses from step to step. ODE's contacts have no names: a
// contact is the one of the last step between the same geoms that lay nearest to it.
class Keys {
 public:
  // A contact as ODE found it, in world axes.
  struct Found {
    Vector spot, normal;  // the normal points into the pair's first body
    double depth;
  };
  struct Point {
    Vector place;  // in the axes of the pair's first body
    Found now, before;  // before: in the last step; of a fresh one nothing
    int side1, side2;
    uint64_t key;
    bool taken, fresh;  // fresh: the last step did not have it
    bool settles;       // it or another of its pair nearly was lost, and it has not sunk to where it rests
  };

  void begin();
  // Whether the last step had the pair the other way round.
  bool reversed(const void *first, const void *second) const;
  // Starts a run of points of a pair; then `add` for each of them, then `close`.
  void open(const void *first, const void *second);
  void add(const Vector &place, const Found &now, int side1, int side2) {
    points_.push_back({place, now, Found(), side1, side2, 0, false, false, false});
  }
  // A point of this step is what it was in the last one.
  void stays(size_t point) { points_[point].now = points_[point].before; }
  // reach: how far a contact may have gone since the last step.
  void close(double reach);
  // Those of this step, in the order in which they were added.
  const std::vector<Point> &points() const { return points_; }
  void settle(size_t point, bool settles) { points_[point].settles = settles; }
  // Where one contact of a run settles, all do.
  void share_settling();
  // The step was made: its points are the last step's from now on.
  void commit();

 private:
  struct Pair {
    const void *first, *second;  // geoms, or bodies where a contact names no geoms
    uint32_t begin, end;         // of its points
    uint32_t next;               // another run of the same pair, or NONE
  };
  uint32_t find(const void *first, const void *second) const;
  void match(Point &point, uint32_t pair, bool alone, double reach);

  std::vector<Point> points_, old_points_;
  std::vector<Pair> pairs_, old_pairs_;
  std::vector<uint32_t> slots_;  // over old_pairs_
  uint64_t next_key_ = 1;
};

}  // namespace drystone_ode

#endif
