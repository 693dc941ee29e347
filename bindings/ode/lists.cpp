// The joints that an adapter knows of.
#include "adapter.hpp"

#include <algorithm>

namespace drystone_ode {

void Adapter::contact_made(dJointID joint, dJointGroupID group, const dContact &contact) {
  contacts_.push_back({joint, group, contact});
}

Joint *Adapter::joint_made(dJointID joint, dJointGroupID group) {
  joints_.push_back(std::make_unique<Joint>());
  Joint &made = *joints_.back();
  made.id = joint;
  made.group = group;
  made.key = next_joint_key_;
  for (Limot &limot : made.plane)
    limot.cfm = limot.stop_cfm = dWorldGetCFM(world_), limot.stop_erp = dWorldGetERP(world_);
  next_joint_key_ += KEYS_OF_A_JOINT;
  return &made;
}

bool Adapter::knows(dJointID joint) const {
  return std::any_of(contacts_.begin(), contacts_.end(),
                     [joint](const Contact &c) { return c.joint == joint; }) ||
         std::any_of(joints_.begin(), joints_.end(), [joint](const auto &j) { return j->id == joint; });
}

bool Adapter::joint_gone(dJointID joint) {
  const auto contact = std::find_if(contacts_.begin(), contacts_.end(),
                                    [joint](const Contact &c) { return c.joint == joint; });
  if (contact != contacts_.end()) {
    if (contact->group != nullptr) return false;
    contacts_.erase(contact);
    return true;
  }
  const auto known =
      std::find_if(joints_.begin(), joints_.end(), [joint](const auto &j) { return j->id == joint; });
  if (known == joints_.end() || (*known)->group != nullptr) return false;
  joints_.erase(known);
  return true;
}

}  // namespace drystone_ode
