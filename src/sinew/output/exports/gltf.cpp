// SPDX-License-Identifier: Apache-2.0
// glTF 2.0, binary: positions of the first frame, one morph target per further frame, and an
// animation that fades from each to the next. y is up in glTF, so the body is turned.
#include <cmath>
#include <cstdint>
#include <limits>

#include <Eigen/Geometry>
#include <nlohmann/json.hpp>

#include <sinew/core/atomic_file.hpp>
#include <sinew/core/types.hpp>
#include <sinew/output/exports/exports.hpp>

namespace sinew::output {
namespace {

using Json = nlohmann::ordered_json;

constexpr int float_type = 5126, index_type = 5125;
constexpr int vertex_target = 34962, index_target = 34963;

/// The binary part and what describes it.
class Buffer {
 public:
  /// Adds an array and returns the number of its accessor.
  template <class T>
  int add(const std::vector<T>& values, int component_type, const char* type, int components,
          int target) {
    while (bytes_.size() % 4 != 0) bytes_ += '\0';
    Json view{
        {"buffer", 0}, {"byteOffset", bytes_.size()}, {"byteLength", values.size() * sizeof(T)}};
    if (target != 0) view["target"] = target;
    views_.push_back(std::move(view));
    bytes_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
    Json accessor{{"bufferView", views_.size() - 1},
                  {"componentType", component_type},
                  {"count", values.size() / static_cast<std::size_t>(components)},
                  {"type", type}};
    // readers rely on the extent of positions and of animation times
    if constexpr (std::is_same_v<T, float>) {
      std::vector<float> low(static_cast<std::size_t>(components),
                             std::numeric_limits<float>::max());
      std::vector<float> high(low.size(), std::numeric_limits<float>::lowest());
      for (std::size_t k = 0; k < values.size(); ++k) {
        low[k % low.size()] = std::min(low[k % low.size()], values[k]);
        high[k % low.size()] = std::max(high[k % low.size()], values[k]);
      }
      accessor["min"] = low;
      accessor["max"] = high;
    }
    accessors_.push_back(std::move(accessor));
    return static_cast<int>(accessors_.size()) - 1;
  }

  std::string bytes_;
  Json views_ = Json::array(), accessors_ = Json::array();
};

/// (x, y, z) with z up to (x, z, -y) with y up, less the base.
std::vector<float> turned(const std::vector<float>& x, const std::vector<float>* base) {
  std::vector<float> result(x.size());
  const auto at = [&](std::size_t k) { return base ? x[k] - (*base)[k] : x[k]; };
  for (std::size_t k = 0; k + 2 < x.size(); k += 3) {
    result[k] = at(k);
    result[k + 1] = at(k + 2);
    result[k + 2] = -at(k + 1);
  }
  return result;
}

std::vector<float> normals_of(const SurfaceFrames& surface, const std::vector<float>& turned_x) {
  std::vector<Eigen::Vector3f> sum(surface.num_vertices(), Eigen::Vector3f::Zero());
  const auto point = [&](int v) {
    return Eigen::Vector3f(turned_x.data() + 3 * static_cast<std::size_t>(v));
  };
  for (const auto& [a, b, c] : surface.triangles) {
    const Eigen::Vector3f area = (point(b) - point(a)).cross(point(c) - point(a));
    for (const int v : {a, b, c}) sum[static_cast<std::size_t>(v)] += area;
  }
  std::vector<float> normals;
  for (const Eigen::Vector3f& n : sum) {
    const Eigen::Vector3f unit = n.norm() > 0.0F ? n.normalized() : Eigen::Vector3f::UnitY();
    normals.insert(normals.end(), unit.begin(), unit.end());
  }
  return normals;
}

std::string chunk(std::string content, const char* kind, char padding) {
  while (content.size() % 4 != 0) content += padding;
  const auto size = static_cast<std::uint32_t>(content.size());
  return std::string(reinterpret_cast<const char*>(&size), 4) + std::string(kind, 4) + content;
}

}  // namespace

void write_gltf(const RunReader& run, const SurfaceFrames& surface) {
  Buffer buffer;
  const std::vector<float>& base = surface.positions.front();
  const std::vector<float> start = turned(base, nullptr);
  std::vector<std::uint32_t> indices;
  for (const std::array<int, 3>& triangle : surface.triangles)
    for (const int v : triangle) indices.push_back(static_cast<std::uint32_t>(v));
  Json primitive{
      {"attributes",
       {{"POSITION", buffer.add(start, float_type, "VEC3", 3, vertex_target)},
        {"NORMAL", buffer.add(normals_of(surface, start), float_type, "VEC3", 3, vertex_target)}}},
      {"indices", buffer.add(indices, index_type, "SCALAR", 1, index_target)},
      {"material", 0}};
  const std::size_t targets = surface.times.size() - 1;
  for (std::size_t f = 1; f <= targets; ++f)
    primitive["targets"].push_back(
        {{"POSITION",
          buffer.add(turned(surface.positions[f], &base), float_type, "VEC3", 3, vertex_target)}});
  Json gltf{
      {"asset", {{"version", "2.0"}, {"generator", "sinew"}}},
      {"scene", 0},
      {"scenes", Json::array({{{"nodes", {0}}}})},
      {"nodes", Json::array({{{"mesh", 0}, {"name", "body"}}})},
      {"materials", Json::array({{{"name", "body"},
                                  {"doubleSided", true},
                                  {"pbrMetallicRoughness",
                                   {{"baseColorFactor", {0.25, 0.55, 0.75, 1.0}},
                                    {"metallicFactor", 0.0},
                                    {"roughnessFactor", 0.7}}}}})},
      {"meshes", Json::array({{{"name", "surface"}, {"primitives", Json::array({primitive})}}})}};
  if (targets > 0) {
    const std::vector<float> times(surface.times.begin(), surface.times.end());
    std::vector<float> weights(surface.times.size() * targets, 0.0F);
    for (std::size_t f = 1; f <= targets; ++f) weights[f * targets + f - 1] = 1.0F;
    gltf["meshes"][0]["weights"] = std::vector<float>(targets, 0.0F);
    gltf["animations"] = Json::array(
        {{{"name", "motion"},
          {"samplers", Json::array({{{"input", buffer.add(times, float_type, "SCALAR", 1, 0)},
                                     {"output", buffer.add(weights, float_type, "SCALAR", 1, 0)},
                                     {"interpolation", "LINEAR"}}})},
          {"channels",
           Json::array({{{"sampler", 0}, {"target", {{"node", 0}, {"path", "weights"}}}}})}}});
  }
  gltf["accessors"] = buffer.accessors_;
  gltf["bufferViews"] = buffer.views_;
  gltf["buffers"] = Json::array({{{"byteLength", (buffer.bytes_.size() + 3) / 4 * 4}}});
  const std::string json = chunk(gltf.dump(), "JSON", ' '),
                    binary = chunk(buffer.bytes_, "BIN\0", '\0');
  const std::uint32_t head[] = {0x46546c67U, 2U,
                                static_cast<std::uint32_t>(12 + json.size() + binary.size())};
  core::write_atomically(
      run.directory().file("animation.glb"),
      std::string(reinterpret_cast<const char*>(head), sizeof head) + json + binary);
}

}  // namespace sinew::output
