// Which point of a manifold is which from step to step.
#ifndef DRYSTONE_BULLET_MEMORY_HPP
#define DRYSTONE_BULLET_MEMORY_HPP

#include <btBulletDynamicsCommon.h>

#include <cstdint>
#include <vector>

namespace drystone {
namespace bullet {

/// Keys of the points of manifolds, by which the solver starts from the impulses of the last step.
///
/// Bullet keeps impulses in the points themselves. It drops them where it rebuilds the points in every step, as those
/// of two spheres. Here a point continues the one of the last step that was nearest on one of the bodies. A manifold
/// finds its entry by m_companionIdA, which Bullet leaves to solvers and which is checked at every use.
class Memory {
public:
    static constexpr int MAX_POINTS = MANIFOLD_CACHE_SIZE;

    /// Begins a step.
    void begin() {
        ++step_;
        free_.clear();
        for (size_t i = 0; i < seen_.size(); ++i)
            if (seen_[i] + 1 < step_) free_.push_back(uint32_t(i));
    }

    void clear() {
        entries_.clear();
        seen_.clear();
        free_.clear();
    }

    /// The keys of all points of a manifold.
    void keys_of(btPersistentManifold &manifold, uint64_t *keys) {
        const uint32_t place = place_of(manifold);
        Entry &entry = entries_[place];
        const int before = seen_[place] + 1 == step_ ? entry.count : 0;
        const int count = manifold.getNumContacts();
        Mark marks[MAX_POINTS];
        bool taken[MAX_POINTS] = {};
        for (int i = 0; i < count; ++i) {
            const btManifoldPoint &point = manifold.getContactPoint(i);
            const int found = continued(entry, before, taken, point, i, before == 1 && count == 1, manifold);
            if (found >= 0) taken[found] = true;
            const uint16_t number = found >= 0 ? entry.marks[found].number : entry.new_number(before);
            marks[i] = {point.m_localPointA, point.m_localPointB, point.m_normalWorldOnB, number};
            keys[i] = uint64_t(place + 1) << 16 | number;
        }
        for (int i = 0; i < count; ++i) entry.marks[i] = marks[i];
        entry.count = count;
        seen_[place] = step_;
    }

private:
    struct Mark {
        btVector3 on_first, on_second, normal;
        uint16_t number = 0;
    };

    struct Entry {
        const btPersistentManifold *manifold = nullptr;
        const btCollisionObject *first = nullptr, *second = nullptr;
        int count = 0;
        /// The last number given; it goes on when another manifold takes the entry, so no key comes back at once.
        uint16_t next = 0;
        Mark marks[MAX_POINTS];

        /// One that no point of the last step has.
        uint16_t new_number(int before) {
            const auto is_used = [&] {
                for (int i = 0; i < before; ++i)
                    if (marks[i].number == next) return true;
                return false;
            };
            do ++next;
            while (is_used());
            return next;
        }
    };

    std::vector<Entry> entries_;
    /// The last step in which an entry had points.
    std::vector<uint64_t> seen_;
    /// Entries that no point of the last step was in.
    std::vector<uint32_t> free_;
    uint64_t step_ = 1;

    uint32_t place_of(btPersistentManifold &manifold) {
        const auto known = uint32_t(manifold.m_companionIdA);
        if (known < entries_.size()) {
            const Entry &entry = entries_[known];
            if (entry.manifold == &manifold && entry.first == manifold.getBody0() &&
                entry.second == manifold.getBody1())
                if (seen_[known] + 1 >= step_) return known;
        }
        uint32_t place = uint32_t(entries_.size());
        if (free_.empty()) {
            entries_.emplace_back();
            seen_.push_back(0);
        } else {
            place = free_.back();
            free_.pop_back();
        }
        Entry &entry = entries_[place];
        entry.manifold = &manifold;
        entry.first = manifold.getBody0();
        entry.second = manifold.getBody1();
        seen_[place] = 0;
        manifold.m_companionIdA = int(place);
        return place;
    }

    /// Which of the points before is continued by this one, -1: none.
    static int continued(const Entry &entry, int before, const bool *taken, const btManifoldPoint &point, int index,
                         bool alone, const btPersistentManifold &manifold) {
        if (index < before && !taken[index] && entry.marks[index].on_first == point.m_localPointA) return index;
        // two spheres touch once, however fast they roll
        if (alone) return entry.marks[0].normal.dot(point.m_normalWorldOnB) > btScalar(0.7) ? 0 : -1;
        int nearest = -1;
        const btScalar reach = manifold.getContactBreakingThreshold();
        btScalar least = reach * reach;
        for (int i = 0; i < before; ++i) {
            if (taken[i]) continue;
            const btScalar first = (entry.marks[i].on_first - point.m_localPointA).length2();
            const btScalar second = (entry.marks[i].on_second - point.m_localPointB).length2();
            const btScalar away = first < second ? first : second;
            if (away < least) least = away, nearest = i;
        }
        return nearest;
    }
};

}  // namespace bullet
}  // namespace drystone

#endif
