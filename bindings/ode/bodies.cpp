// The bodies of a step: which there are, and how they hang together.
#include "adapter.hpp"

#include <algorithm>

namespace drystone_ode {

static size_t slot_of(dBodyID id, size_t slots) {
  // bodies are allocated at multiples of 16 bytes; Fibonacci's multiplier spreads the rest
  return static_cast<size_t>((reinterpret_cast<uintptr_t>(id) >> 4) * UINT64_C(0x9E3779B97F4A7C15) >> 20) &
         (slots - 1);
}

void Bodies::clear() {
  list.clear();
  links_.clear();
  islands_.clear();
  std::fill(slots_.begin(), slots_.end(), 0U);
  if (slots_.empty()) slots_.assign(64, 0);
}

void Bodies::grow() {
  slots_.assign(4 * slots_.size(), 0);
  for (uint32_t i = 0; i < list.size(); i++) {
    size_t slot = slot_of(list[i].id, slots_.size());
    while (slots_[slot] != 0) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = i + 1;
  }
}

uint32_t Bodies::index(dBodyID id) {
  if (id == nullptr) return NONE;
  size_t slot = slot_of(id, slots_.size());
  for (; slots_[slot] != 0; slot = (slot + 1) & (slots_.size() - 1))
    if (list[slots_[slot] - 1].id == id) return slots_[slot] - 1;
  const uint32_t index = static_cast<uint32_t>(list.size());
  Body body;
  body.id = id;
  body.movable = dBodyIsKinematic(id) == 0;
  body.leader = body.chief = index;
  list.push_back(body);
  islands_.emplace_back();
  islands_.back().bodies = body.movable ? 1 : 0;
  slots_[slot] = index + 1;
  if (2 * list.size() > slots_.size()) grow();
  return index;
}

// The root of a body's tree, its paths shortened on the way.
template <uint32_t Body::*Above>
static uint32_t root(std::vector<Body> &list, uint32_t body) {
  while (list[body].*Above != body) {
    list[body].*Above = list[list[body].*Above].*Above;
    body = list[body].*Above;
  }
  return body;
}

uint32_t Bodies::leader(uint32_t body) { return root<&Body::leader>(list, body); }
uint32_t Bodies::chief(uint32_t body) { return root<&Body::chief>(list, body); }

void Bodies::join(uint32_t a, uint32_t b, By by) {
  if (a == NONE) std::swap(a, b);
  if (a == NONE) return;
  if (b != NONE && leader(a) != leader(b)) {
    const auto order = std::minmax({leader(a), leader(b)});
    list[order.second].leader = order.first;
    links_.emplace_back(a, b);
  }
  if (!list[a].movable) std::swap(a, b);
  if (a == NONE || !list[a].movable) return;
  if (b != NONE && list[b].movable && chief(a) != chief(b)) {
    const auto order = std::minmax({chief(a), chief(b)});
    list[order.second].chief = order.first;
    Island &island = islands_[order.first];
    const Island &other = islands_[order.second];
    island.bodies += other.bodies, island.pairs += other.pairs;
    island.contacts += other.contacts, island.joints += other.joints;
    island.foreign |= other.foreign;
  }
  Island &island = islands_[chief(a)];
  if (by != CONTACT) island.pairs++;
  if (by == JOINT) island.joints++;
  else island.contacts++;
}

void Bodies::leave(uint32_t a, uint32_t b) {
  for (const uint32_t body : {a, b})
    if (body != NONE && list[body].movable) island(body).foreign = true;
}

bool Bodies::left(uint32_t a, uint32_t b) {
  const uint32_t some = a != NONE && list[a].movable ? a : b;
  return some != NONE && island(some).foreign;
}

void Bodies::wake() {
  awake_.assign(list.size(), 0);
  for (uint32_t i = 0; i < list.size(); i++) {
    list[i].enabled = dBodyIsEnabled(list[i].id) != 0;
    if (list[i].enabled) awake_[leader(i)] = 1;
  }
}

}  // namespace drystone_ode
