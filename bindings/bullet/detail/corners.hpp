// Corners of polyhedra below a plane that Bullet has not found yet.
#ifndef DRYSTONE_BULLET_CORNERS_HPP
#define DRYSTONE_BULLET_CORNERS_HPP

#include <btBulletDynamicsCommon.h>

namespace drystone {
namespace bullet {

/// Adds the corners of a polyhedron that overlap a btStaticPlaneShape to their manifold, if that has fewer points than it
/// can hold. Bullet finds one corner in a step, and loses it when the body has turned a little: what fell deep would rock
/// from corner to corner.
inline void add_corners(btPersistentManifold &manifold) {
    const int count = manifold.getNumContacts();
    if (count == 0 || count == MANIFOLD_CACHE_SIZE) return;
    const btCollisionObject &first = *manifold.getBody0(), &second = *manifold.getBody1();
    const bool is_second = second.getCollisionShape()->getShapeType() == STATIC_PLANE_PROXYTYPE;
    const btCollisionObject &ground = is_second ? second : first, &body = is_second ? first : second;
    if (ground.getCollisionShape()->getShapeType() != STATIC_PLANE_PROXYTYPE) return;
    const int type = body.getCollisionShape()->getShapeType();
    if (!btBroadphaseProxy::isPolyhedral(type) || type == CUSTOM_POLYHEDRAL_SHAPE_TYPE) return;
    const auto &plane = static_cast<const btStaticPlaneShape &>(*ground.getCollisionShape());
    const auto &solid = static_cast<const btPolyhedralConvexShape &>(*body.getCollisionShape());
    const btTransform &at = body.getWorldTransform(), &from = ground.getWorldTransform();
    const btVector3 normal = from.getBasis() * plane.getPlaneNormal();
    // the corners of a box lie on its surface, those of other polyhedra a margin below it
    const btScalar margin = type == BOX_SHAPE_PROXYTYPE ? btScalar(0) : solid.getMargin();
    const btManifoldPoint known = manifold.getContactPoint(0);
    for (int i = 0; i < solid.getNumVertices(); ++i) {
        btVector3 corner;
        solid.getVertex(i, corner);
        corner = at * corner - normal * margin;
        const btScalar gap = normal.dot(corner - from.getOrigin()) - plane.getPlaneConstant();
        if (!(gap < 0)) continue;
        const btVector3 foot = corner - normal * gap;
        const btVector3 &on_first = is_second ? corner : foot, &on_second = is_second ? foot : corner;
        btManifoldPoint point(first.getWorldTransform().invXform(on_first), second.getWorldTransform().invXform(on_second),
                              is_second ? normal : -normal, gap);
        point.m_positionWorldOnA = on_first;
        point.m_positionWorldOnB = on_second;
        point.m_combinedFriction = known.m_combinedFriction;
        point.m_combinedRestitution = known.m_combinedRestitution;
        point.m_combinedRollingFriction = known.m_combinedRollingFriction;
        point.m_combinedSpinningFriction = known.m_combinedSpinningFriction;
        point.m_contactPointFlags = known.m_contactPointFlags;
        point.m_contactERP = known.m_contactERP;
        point.m_contactCFM = known.m_contactCFM;
        if (manifold.getCacheEntry(point) < 0) manifold.addManifoldPoint(point);
    }
}

}  // namespace bullet
}  // namespace drystone

#endif
