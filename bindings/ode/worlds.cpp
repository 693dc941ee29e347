// Which adapter belongs to which world, joint or group; settings, reports and errors.
#include "worlds.hpp"

#include <algorithm>
#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <unordered_map>

namespace drystone_ode {

std::string format(const char *pattern, ...) {
  char text[512];
  va_list numbers;
  va_start(numbers, pattern);
  std::vsnprintf(text, sizeof text, pattern, numbers);
  va_end(numbers);
  return text;
}

// A joint's adapter, and what that has of it; null of a contact.
struct Known {
  Adapter *adapter;
  Joint *joint;
};

// Everything that several threads share.
struct Registry {
  std::mutex lock;
  std::unordered_map<dWorldID, std::unique_ptr<Adapter>> adapters;
  std::unordered_map<dJointID, Known> joints;  // all but contacts that are in a group
  std::unordered_multimap<dJointGroupID, Adapter *> groups;
  std::atomic<uint64_t> ended{0};  // worlds so far: what a thread has at hand may be one of them
};

static Registry &registry() {
  static Registry &one = *new Registry;  // never ended: programs end worlds in their own order, or not at all
  return one;
}

// The adapter that this thread used last, for as long as no world has ended.
struct AtHand {
  dWorldID world = nullptr;
  Adapter *adapter = nullptr;
  uint64_t ended = 0;
};
static thread_local AtHand at_hand;
static thread_local std::string last_error;

Adapter &adapter_of(dWorldID world) {
  Registry &all = registry();
  const uint64_t ended = all.ended.load(std::memory_order_acquire);
  if (at_hand.world == world && at_hand.ended == ended && at_hand.adapter != nullptr) return *at_hand.adapter;
  std::lock_guard<std::mutex> guard(all.lock);
  std::unique_ptr<Adapter> &adapter = all.adapters[world];
  if (!adapter) adapter = std::make_unique<Adapter>(world);
  at_hand = {world, adapter.get(), ended};
  return *adapter;
}

void joint_made(dWorldID world, dJointGroupID group, dJointID joint, const dContact *contact) {
  Adapter &adapter = adapter_of(world);
  Joint *made = nullptr;
  if (contact != nullptr) adapter.contact_made(joint, group, *contact);
  else made = adapter.joint_made(joint, group);
  if (group != nullptr && contact != nullptr && !adapter.groups.empty() && adapter.groups.back() == group)
    return;
  Registry &all = registry();
  std::lock_guard<std::mutex> guard(all.lock);
  if (group == nullptr || contact == nullptr) all.joints[joint] = {&adapter, made};
  if (group == nullptr ||
      std::find(adapter.groups.begin(), adapter.groups.end(), group) != adapter.groups.end())
    return;
  adapter.groups.push_back(group);
  all.groups.emplace(group, &adapter);
}

static Known find(dJointID joint) {
  Registry &all = registry();
  std::lock_guard<std::mutex> guard(all.lock);
  const auto found = all.joints.find(joint);
  return found != all.joints.end() ? found->second : Known{nullptr, nullptr};
}

Joint *known_joint(dJointID joint) { return find(joint).joint; }

void joint_gone(dJointID joint) {
  Adapter *adapter = find(joint).adapter;
  if (adapter == nullptr || !adapter->joint_gone(joint)) return;
  Registry &all = registry();
  std::lock_guard<std::mutex> guard(all.lock);
  all.joints.erase(joint);
}

void group_gone(dJointGroupID group, bool last) {
  Registry &all = registry();
  std::lock_guard<std::mutex> guard(all.lock);
  const auto users = all.groups.equal_range(group);
  for (auto user = users.first; user != users.second; ++user) {
    user->second->group_gone(group, [&all](dJointID joint) { all.joints.erase(joint); });
    auto &groups = user->second->groups;
    if (last) groups.erase(std::remove(groups.begin(), groups.end(), group), groups.end());
  }
  if (last) all.groups.erase(group);
}

void world_gone(dWorldID world) {
  Registry &all = registry();
  std::lock_guard<std::mutex> guard(all.lock);
  const auto found = all.adapters.find(world);
  if (found == all.adapters.end()) return;
  const Adapter *adapter = found->second.get();
  for (auto i = all.joints.begin(); i != all.joints.end();)
    i = i->second.adapter == adapter ? all.joints.erase(i) : std::next(i);
  for (auto i = all.groups.begin(); i != all.groups.end();)
    i = i->second == adapter ? all.groups.erase(i) : std::next(i);
  all.adapters.erase(found);
  all.ended.fetch_add(1, std::memory_order_release);
}

const std::string &last_message() { return last_error; }

dry_status failed(const Refusal &refusal) {
  last_error = refusal.message;
  return refusal.status;
}

}  // namespace drystone_ode

using namespace drystone_ode;

extern "C" dry_status dry_ode_last_error(char *buffer, size_t capacity, size_t *needed_or_null) {
  if (needed_or_null != nullptr) *needed_or_null = last_error.size() + 1;
  if (buffer == nullptr || capacity == 0) return capacity == 0 ? DRY_OK : DRY_ERR_NULL;
  const size_t length = std::min(last_error.size(), capacity - 1);
  std::memcpy(buffer, last_error.data(), length);
  buffer[length] = '\0';
  return length == last_error.size() ? DRY_OK : DRY_ERR_CAPACITY;
}

static void check_size(size_t size, size_t expected, const char *name) {
  if (size != expected)
    throw Refusal{DRY_ERR_ABI, format("%s: %zu bytes, expected %zu", name, size, expected)};
}

static void check_not_null(const void *pointer, const char *name) {
  if (pointer == nullptr) throw Refusal{DRY_ERR_NULL, format("%s: NULL", name)};
}

extern "C" dry_status dry_ode_settings_init(dry_ode_settings *settings, size_t size) {
  return guarded([=] {
    check_not_null(settings, "settings");
    check_size(size, sizeof *settings, "size");
    *settings = {sizeof *settings, DRY_ODE_CONE, 0, 200, 0, 0.2};
  });
}

extern "C" dry_status dry_ode_get_settings(dWorldID world, dry_ode_settings *settings, size_t size) {
  return guarded([=] {
    check_not_null(world, "world");
    check_not_null(settings, "settings");
    check_size(size, sizeof *settings, "size");
    *settings = adapter_of(world).settings;
  });
}

extern "C" dry_status dry_ode_set_settings(dWorldID world, const dry_ode_settings *settings) {
  return guarded([=] {
    check_not_null(world, "world");
    check_not_null(settings, "settings");
    check_size(settings->struct_size, sizeof *settings, "settings.struct_size");
    if (settings->friction != DRY_ODE_CONE && settings->friction != DRY_ODE_PYRAMID)
      throw Refusal{DRY_ERR_ARGUMENT, format("settings.friction: %d, expected a dry_ode_friction",
                                             static_cast<int>(settings->friction))};
    if (!(settings->resting_overlap >= 0 && settings->resting_overlap < INFINITY))
      throw Refusal{DRY_ERR_ARGUMENT,
                    format("settings.resting_overlap: %g, expected 0 or above", settings->resting_overlap)};
    if (settings->reserved != 0)
      throw Refusal{DRY_ERR_ARGUMENT, format("settings.reserved: %u, expected 0", settings->reserved)};
    adapter_of(world).settings = *settings;
  });
}

extern "C" dry_status dry_ode_get_report(dWorldID world, dry_step_report *report, size_t size) {
  return guarded([=] {
    check_not_null(world, "world");
    check_not_null(report, "report");
    check_size(size, sizeof *report, "size");
    *report = adapter_of(world).report;
    report->struct_size = sizeof *report;
  });
}
