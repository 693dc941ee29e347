// The rows of a joint, one after the other.
#ifndef DRYSTONE_ODE_ROWS_HPP
#define DRYSTONE_ODE_ROWS_HPP

#include "adapter.hpp"

namespace drystone_ode {

// A body at an end of a joint, and its row in the problem; null and NONE for the world.
struct End {
  const Body *body;
  uint32_t row;
};

class Rows {
 public:
  Rows(Problem &problem, const Joint &joint, const Conditions &now, const End &first, const End &second);

  // ERP and CFM of the rows that are made while this lives.
  class With {
   public:
    With(Rows &rows, double erp, double cfm) : rows_(rows), erp_(rows.erp_), cfm_(rows.cfm_) {
      rows.erp_ = erp, rows.cfm_ = cfm;
    }
    ~With() { rows_.erp_ = erp_, rows_.cfm_ = cfm_; }
    With(const With &) = delete;
    With &operator=(const With &) = delete;

   private:
    Rows &rows_;
    double erp_, cfm_;
  };

  // The first body moves along a direction, at these points of both bodies, so that the error goes.
  void along(const Vector &direction, const Vector &at_first, const Vector &at_second, double error);
  // The first body turns about a direction so that the error goes.
  void about(const Vector &direction, double error);
  // Two points come together.
  void point(const Vector &of_first, const Vector &of_second);
  // Stops and motor. `every_stop`: also those beyond half a turn, and those in the wrong order, count.
  void turn_limot(const Limot &limot, const Vector &axis, double angle, bool every_stop = false);
  void slide_limot(const Limot &limot, const Vector &axis, double position);

  Rotation axes_of(dBodyID body) const;
  Vector first_place() const { return first_.body->position; }
  // A point of the second body, given from its centre in its axes.
  Vector second_point(const Vector &point) const;
  Vector first_to_world(const Vector &v) const { return first_.body->rotation.to_world(v); }
  Vector second_to_world(const Vector &v) const {
    return second_.body != nullptr ? second_.body->rotation.to_world(v) : v;
  }
  Quaternion first_turn() const { return Quaternion(dBodyGetQuaternion(first_.body->id)); }
  Quaternion second_turn() const;

 private:
  dry_problem_row linear(const Vector &direction, const Vector &arm_first, const Vector &arm_second) const;
  dry_problem_row angular(const Vector &direction) const;
  void add(dry_problem_row row, double rhs, double cfm, double low, double high);
  void limot(const dry_problem_row &row, const Limot &limot, double position, double speed, bool stops);

  Which which_;
  Problem &problem_;
  const Joint &joint_;
  const Conditions &now_;
  End first_, second_;
  double erp_, cfm_;
  uint64_t key_;
};

}  // namespace drystone_ode

#endif
