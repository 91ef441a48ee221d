// SPDX-License-Identifier: Apache-2.0
// glTF 2.0, binary: positions of the first frame, one morph target per further frame, and an
// animation that fades from each to the next. A mesh cannot change its triangles: every chapter has
// a node of its own, scaled to nothing outside of its time, which the specification names as the
// way to animate visibility. y is up in glTF, so the body is turned upright.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include <Eigen/Geometry>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <sinew/core/atomic_file.hpp>
#include <sinew/core/types.hpp>
#include <sinew/output/exports/exports.hpp>
#include <sinew/output/publish/upright.hpp>

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

using Rotation = Eigen::Matrix3f;

/// From coordinates of the scene to those with y up, less the base.
std::vector<float> turned(const Rotation& rotation, const std::vector<float>& x,
                          const std::vector<float>* base) {
  std::vector<float> result(x.size());
  const auto at = [&](std::size_t k) { return base ? x[k] - (*base)[k] : x[k]; };
  for (std::size_t k = 0; k + 2 < x.size(); k += 3) {
    const Eigen::Vector3f point = rotation * Eigen::Vector3f(at(k), at(k + 1), at(k + 2));
    std::copy(point.begin(), point.end(), result.begin() + static_cast<std::ptrdiff_t>(k));
  }
  return result;
}

Rotation rotation_for(const Vec3& up) {
  Mat3 from_z_to_y;
  from_z_to_y << 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, -1.0, 0.0;
  return (from_z_to_y * upright(up)).cast<float>();
}

std::vector<float> normals_of(const SurfaceChapter& chapter, const std::vector<float>& turned_x) {
  std::vector<Eigen::Vector3f> sum(chapter.num_vertices, Eigen::Vector3f::Zero());
  const auto point = [&](int v) {
    return Eigen::Vector3f(turned_x.data() + 3 * static_cast<std::size_t>(v));
  };
  for (const auto& [a, b, c] : chapter.triangles) {
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

/// Nodes, their meshes and one animation of them all.
class Animation {
 public:
  Animation(const SurfaceFrames& surface, const Vec3& up)
      : surface_(surface), rotation_(rotation_for(up)) {
    for (std::size_t k = 0; k < surface.chapters.size(); ++k)
      // a mesh without triangles is not valid
      if (!surface.chapters[k].triangles.empty()) add_chapter(k);
  }

  std::string bytes() {
    Json roots = Json::array();
    for (std::size_t node = 0; node < nodes_.size(); ++node) roots.push_back(node);
    Json gltf{{"asset", {{"version", "2.0"}, {"generator", "sinew"}}},
              {"scene", 0},
              {"scenes", Json::array({{{"nodes", std::move(roots)}}})},
              {"nodes", nodes_},
              {"materials", Json::array({{{"name", "body"},
                                          {"doubleSided", true},
                                          {"pbrMetallicRoughness",
                                           {{"baseColorFactor", {0.25, 0.55, 0.75, 1.0}},
                                            {"metallicFactor", 0.0},
                                            {"roughnessFactor", 0.7}}}}})},
              {"meshes", meshes_}};
    if (!channels_.empty())
      gltf["animations"] =
          Json::array({{{"name", "motion"}, {"samplers", samplers_}, {"channels", channels_}}});
    gltf["accessors"] = buffer_.accessors_;
    gltf["bufferViews"] = buffer_.views_;
    gltf["buffers"] = Json::array({{{"byteLength", (buffer_.bytes_.size() + 3) / 4 * 4}}});
    const std::string json = chunk(gltf.dump(), "JSON", ' '),
                      binary = chunk(buffer_.bytes_, "BIN\0", '\0');
    const std::uint32_t head[] = {0x46546c67U, 2U,
                                  static_cast<std::uint32_t>(12 + json.size() + binary.size())};
    return std::string(reinterpret_cast<const char*>(head), sizeof head) + json + binary;
  }

 private:
  bool is_alone() const { return surface_.chapters.size() == 1; }

  void add_chapter(std::size_t number) {
    const SurfaceChapter& chapter = surface_.chapters[number];
    const std::string suffix = is_alone() ? "" : fmt::format("_{}", number);
    Json node{{"mesh", meshes_.size()}, {"name", "body" + suffix}};
    if (number > 0) node["scale"] = {0.0, 0.0, 0.0};
    nodes_.push_back(std::move(node));
    Json mesh{{"name", "surface" + suffix},
              {"primitives", Json::array({primitive(chapter, surface_.end_of(number))})}};
    const std::size_t frames = surface_.end_of(number) - chapter.first;
    if (frames > 1) {
      mesh["weights"] = std::vector<float>(frames - 1, 0.0F);
      animate_shape(chapter.first, frames);
    }
    meshes_.push_back(std::move(mesh));
    if (!is_alone()) animate_visibility(number);
  }

  Json primitive(const SurfaceChapter& chapter, std::size_t end) {
    const std::vector<float>& base = surface_.positions[chapter.first];
    const std::vector<float> start = turned(rotation_, base, nullptr);
    std::vector<std::uint32_t> indices;
    for (const std::array<int, 3>& triangle : chapter.triangles)
      for (const int v : triangle) indices.push_back(static_cast<std::uint32_t>(v));
    Json result{{"attributes",
                 {{"POSITION", buffer_.add(start, float_type, "VEC3", 3, vertex_target)},
                  {"NORMAL",
                   buffer_.add(normals_of(chapter, start), float_type, "VEC3", 3, vertex_target)}}},
                {"indices", buffer_.add(indices, index_type, "SCALAR", 1, index_target)},
                {"material", 0}};
    for (std::size_t f = chapter.first + 1; f < end; ++f)
      result["targets"].push_back(
          {{"POSITION", buffer_.add(turned(rotation_, surface_.positions[f], &base), float_type,
                                    "VEC3", 3, vertex_target)}});
    return result;
  }

  /// Of the node added last.
  void animate_shape(std::size_t first, std::size_t frames) {
    const auto begin = surface_.times.begin() + static_cast<std::ptrdiff_t>(first);
    const std::vector<float> times(begin, begin + static_cast<std::ptrdiff_t>(frames));
    const std::size_t targets = frames - 1;
    std::vector<float> weights(frames * targets, 0.0F);
    for (std::size_t f = 1; f < frames; ++f) weights[f * targets + f - 1] = 1.0F;
    const int input = buffer_.add(times, float_type, "SCALAR", 1, 0);
    add_channel("weights", "LINEAR", input, buffer_.add(weights, float_type, "SCALAR", 1, 0));
  }

  void animate_visibility(std::size_t number) {
    std::vector<float> times, scales;
    const auto key = [&](std::size_t frame, float scale) {
      times.push_back(static_cast<float>(surface_.times[frame]));
      scales.insert(scales.end(), 3, scale);
    };
    const std::size_t first = surface_.chapters[number].first, end = surface_.end_of(number);
    if (first > 0) key(0, 0.0F);
    key(first, 1.0F);
    if (end < surface_.times.size()) key(end, 0.0F);
    const int input = buffer_.add(times, float_type, "SCALAR", 1, 0);
    add_channel("scale", "STEP", input, buffer_.add(scales, float_type, "VEC3", 3, 0));
  }

  void add_channel(const char* path, const char* interpolation, int input, int output) {
    channels_.push_back(
        {{"sampler", samplers_.size()}, {"target", {{"node", nodes_.size() - 1}, {"path", path}}}});
    samplers_.push_back({{"input", input}, {"output", output}, {"interpolation", interpolation}});
  }

  const SurfaceFrames& surface_;
  Rotation rotation_;
  Buffer buffer_;
  Json nodes_ = Json::array(), meshes_ = Json::array(), samplers_ = Json::array(),
       channels_ = Json::array();
};

}  // namespace

void write_gltf(const RunReader& run, const SurfaceFrames& surface) {
  core::write_atomically(run.directory().file("animation.glb"),
                         Animation(surface, run.up()).bytes());
}

}  // namespace sinew::output
