// SPDX-License-Identifier: Apache-2.0
#include <embree3/rtcore.h>

#include <sinew/core/error.hpp>
#include <sinew/render/ray_scene.hpp>

namespace sinew::render {

struct RayScene::Embree {
  RTCDevice device;
  RTCScene scene;

  // no "threads=" here: Embree would limit the threads of the whole process by it
  Embree() : device(rtcNewDevice(nullptr)), scene(nullptr) {
    SINEW_ASSERT(device, "Embree does not start");
    scene = rtcNewScene(device);
  }
  ~Embree() {
    if (scene) rtcReleaseScene(scene);
    rtcReleaseDevice(device);
  }
  Embree(const Embree&) = delete;
  Embree& operator=(const Embree&) = delete;

  void add(const Shape& shape, unsigned id) const {
    RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                               shape.positions.data(), 0, sizeof(Vec3f),
                               shape.positions.size() - 1);
    rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                               shape.triangles.data(), 0, sizeof(shape.triangles[0]),
                               shape.triangles.size());
    rtcCommitGeometry(geometry);
    rtcAttachGeometryByID(scene, geometry, id);
    rtcReleaseGeometry(geometry);
  }
};

namespace {

void fill(RTCRay& target, const Ray& ray) {
  target.org_x = ray.origin.x();
  target.org_y = ray.origin.y();
  target.org_z = ray.origin.z();
  target.tnear = ray.from;
  target.dir_x = ray.direction.x();
  target.dir_y = ray.direction.y();
  target.dir_z = ray.direction.z();
  target.time = 0.0f;
  target.tfar = ray.to;
  target.mask = ~0u;
  target.id = 0;
  target.flags = 0;
}

}  // namespace

RayScene::RayScene(std::span<const Shape> shapes, const std::function<bool(const Shape&)>& wanted)
    : embree_(std::make_unique<Embree>()) {
  for (std::size_t k = 0; k < shapes.size(); ++k)
    if (!shapes[k].triangles.empty() && wanted(shapes[k])) {
      embree_->add(shapes[k], static_cast<unsigned>(k));
      empty_ = false;
    }
  rtcCommitScene(embree_->scene);
  if (!empty_) {
    RTCBounds bounds{};
    rtcGetSceneBounds(embree_->scene, &bounds);
    low_ = {bounds.lower_x, bounds.lower_y, bounds.lower_z};
    high_ = {bounds.upper_x, bounds.upper_y, bounds.upper_z};
  }
  SINEW_ASSERT(rtcGetDeviceError(embree_->device) == RTC_ERROR_NONE, "Embree refuses the scene");
}

RayScene::~RayScene() = default;

bool RayScene::closest(const Ray& ray, RayHit& hit) const {
  if (empty_) return false;
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  RTCRayHit query;
  fill(query.ray, ray);
  query.hit.geomID = RTC_INVALID_GEOMETRY_ID;
  query.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
  rtcIntersect1(embree_->scene, &context, &query);
  if (query.hit.geomID == RTC_INVALID_GEOMETRY_ID) return false;
  hit = {query.ray.tfar, static_cast<int>(query.hit.geomID), static_cast<int>(query.hit.primID),
         query.hit.u, query.hit.v};
  return true;
}

bool RayScene::blocked(const Ray& ray) const {
  if (empty_) return false;
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  RTCRay query;
  fill(query, ray);
  rtcOccluded1(embree_->scene, &context, &query);
  return query.tfar < 0.0f;
}

bool RayScene::near(const Vec3f& point, float radius) const {
  if (empty_) return false;
  const Vec3f beside = (low_ - point).cwiseMax(point - high_).cwiseMax(0.0f);
  return beside.squaredNorm() <= radius * radius;
}

}  // namespace sinew::render
