// SPDX-License-Identifier: Apache-2.0
#include <limits>
#include <map>

#include <fmt/format.h>

#include <sinew/core/nearest.hpp>
#include <sinew/mesh/closest_point.hpp>
#include <sinew/scene/compile/compile_joints.hpp>

namespace sinew::scene {
namespace {

class AttachmentCompiler {
 public:
  AttachmentCompiler(const FindVertices& find_vertices, physics::BodiesSpec& spec,
                     Diagnostics& diagnostics)
      : find_vertices_(find_vertices), spec_(spec), diagnostics_(diagnostics) {
    int offset = 0;
    for (const physics::Body& body : spec.bodies) {
      offsets_.push_back(offset);
      offset += body.mesh.num_vertices();
    }
  }

  void add(const AttachmentSpec& attachment, const std::string& pointer) {
    const std::vector<int> vertices = find_vertices_(attachment.body, attachment.select, pointer);
    const std::size_t to = find_body(attachment.to, pointer);
    if (vertices.empty() || to == spec_.bodies.size()) return;
    if (attachment.to == attachment.body || spec_.bodies.size() == 1) {
      diagnostics_.error(pointer + "/to", "a body cannot hold on to itself", "name another body");
      return;
    }
    if (attachment.stiffness)
      add_springs(attachment, vertices, to, pointer);
    else
      join(attachment, vertices, to, pointer);
  }

 private:
  std::size_t find_body(const std::string& name, const std::string& pointer) {
    std::vector<std::string> names;
    for (std::size_t b = 0; b < spec_.bodies.size(); ++b) {
      if (spec_.bodies[b].name == name) return b;
      names.push_back(spec_.bodies[b].name);
    }
    diagnostics_.error(
        pointer + "/to",
        name.empty() ? "say which body is held on to" : fmt::format("there is no body '{}'", name),
        core::suggestion(name, names));
    return spec_.bodies.size();
  }

  const Vec3& place_of(int vertex) const {
    std::size_t body = 0;
    while (body + 1 < offsets_.size() && vertex >= offsets_[body + 1]) ++body;
    return spec_.bodies[body].mesh.vertices[static_cast<std::size_t>(vertex - offsets_[body])];
  }

  /// Every vertex with the nearest one of the other body.
  void join(const AttachmentSpec& attachment, const std::vector<int>& vertices, std::size_t to,
            const std::string& pointer) {
    const std::vector<Vec3>& others = spec_.bodies[to].mesh.vertices;
    double least = std::numeric_limits<double>::infinity();
    bool found = false;
    for (const int vertex : vertices) {
      std::size_t nearest = 0;
      for (std::size_t v = 1; v < others.size(); ++v)
        if ((others[v] - place_of(vertex)).squaredNorm() <
            (others[nearest] - place_of(vertex)).squaredNorm())
          nearest = v;
      const double distance = (others[nearest] - place_of(vertex)).norm();
      least = std::min(least, distance);
      if (distance > attachment.within) continue;
      found = true;
      spec_.joined.insert(spec_.joined.end(), {vertex, offsets_[to] + static_cast<int>(nearest)});
    }
    if (!found)
      diagnostics_.error(pointer,
                         fmt::format("no vertex of '{}' lies there; the nearest is {:.3g} m away",
                                     attachment.to, least),
                         "move a body, raise \"within\", or give a stiffness to attach by springs");
  }

  void add_springs(const AttachmentSpec& attachment, const std::vector<int>& vertices,
                   std::size_t to, const std::string& pointer) {
    std::vector<Vec3> places;
    places.reserve(vertices.size());
    for (const int vertex : vertices) places.push_back(place_of(vertex));
    std::vector<mesh::Edge> bars;
    for (const physics::Spring& spring : spec_.bodies[to].springs) bars.push_back(spring.vertices);
    const auto points = mesh::closest_points(spec_.bodies[to].mesh, bars, places);
    for (std::size_t k = 0; k < points.size(); ++k) {
      if (points[k].distance > attachment.within) {
        diagnostics_.error(
            pointer,
            fmt::format("a vertex at [{:.4g}, {:.4g}, {:.4g}] is {:.3g} m away from '{}'",
                        places[k][0], places[k][1], places[k][2], points[k].distance,
                        attachment.to),
            "select others, move a body, or raise \"within\": springs will then pull them "
            "together");
        return;
      }
      physics::Attachment spring{{vertices[k]}, {1.0}, *attachment.stiffness};
      for (std::size_t c = 0; c < points[k].vertices.size(); ++c) {
        spring.vertices.push_back(offsets_[to] + points[k].vertices[c]);
        spring.weights.push_back(-points[k].weights[c]);
      }
      spec_.attachments.push_back(std::move(spring));
    }
  }

  const FindVertices& find_vertices_;
  physics::BodiesSpec& spec_;
  Diagnostics& diagnostics_;
  std::vector<int> offsets_;
};

}  // namespace

void compile_attachments(const std::vector<AttachmentSpec>& attachments,
                         const FindVertices& find_vertices, physics::BodiesSpec& spec,
                         Diagnostics& diagnostics) {
  AttachmentCompiler compiler(find_vertices, spec, diagnostics);
  for (std::size_t k = 0; k < attachments.size(); ++k)
    compiler.add(attachments[k], fmt::format("/attachments/{}", k));
}

}  // namespace sinew::scene
