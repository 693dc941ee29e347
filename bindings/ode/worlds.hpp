// Which adapter belongs to which world, joint or group.
#ifndef DRYSTONE_ODE_WORLDS_HPP
#define DRYSTONE_ODE_WORLDS_HPP

#include "adapter.hpp"

#include <new>

namespace drystone_ode {

// The adapter of a world; made where there is none yet.
Adapter &adapter_of(dWorldID world);
// A joint was made in a world. contact: its contact, or null for another joint.
void joint_made(dWorldID world, dJointGroupID group, dJointID joint, const dContact *contact);
// Null for what is no joint of the adapter's, and for contacts.
Joint *known_joint(dJointID joint);
void joint_gone(dJointID joint);
// last: the group itself ends.
void group_gone(dJointGroupID group, bool last);
void world_gone(dWorldID world);
// The message of this thread's last failing call.
const std::string &last_message();
// Remembers a failure for dry_ode_last_error.
dry_status failed(const Refusal &refusal);

// Calls what may throw; answers a status.
template <class Call>
dry_status guarded(Call call) {
  try {
    call();
    return DRY_OK;
  } catch (const Refusal &refusal) {
    return failed(refusal);
  } catch (const std::bad_alloc &) {
    return failed({DRY_ERR_MEMORY, "out of memory"});
  }
}

}  // namespace drystone_ode

#endif
