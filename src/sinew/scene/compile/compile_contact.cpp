// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <sinew/core/nearest.hpp>
#include <sinew/mesh/adjacency.hpp>
#include <sinew/physics/contact/contact_term.hpp>
#include <sinew/physics/contact/overlaps.hpp>
#include <sinew/physics/contact/smooth_contact.hpp>
#include <sinew/scene/compile/compile_contact.hpp>

namespace sinew::scene {
namespace {

using physics::ContactPart;

/// Of the bodies, not of obstacles [m].
double mean_size(const std::vector<physics::Body>& bodies) {
  double sum = 0.0;
  int count = 0;
  for (const physics::Body& body : bodies) {
    if (body.is_obstacle) continue;
    sum += mesh::bounding_diagonal(body.mesh);
    ++count;
  }
  return sum / count;
}

double mean_edge(const physics::Body& body) {
  double sum = 0.0;
  long count = 0;
  for (const mesh::Edge& edge : mesh::edges_of(body.mesh)) {
    sum += (body.mesh.vertices[static_cast<std::size_t>(edge[0])] -
            body.mesh.vertices[static_cast<std::size_t>(edge[1])])
               .norm();
    ++count;
  }
  return count > 0 ? sum / static_cast<double>(count) : 0.0;
}

/// What a vertex of the stiffest body gives way with: Young's modulus times the length of an edge,
/// or that of a spring [N/m].
double stiffness_of_bodies(const std::vector<physics::Body>& bodies) {
  double largest = 0.0;
  for (const physics::Body& body : bodies) {
    double sum = 0.0;
    for (const physics::TetProperties& tet : body.tets) {
      const double mu = tet.moduli.mu, lambda = tet.moduli.lambda;
      sum += mu * (3.0 * lambda + 2.0 * mu) / (lambda + mu);
    }
    if (!body.tets.empty())
      largest = std::max(largest, sum / static_cast<double>(body.tets.size()) * mean_edge(body));
    sum = 0.0;
    for (const physics::Spring& spring : body.springs) sum += spring.stiffness;
    if (!body.springs.empty())
      largest = std::max(largest, sum / static_cast<double>(body.springs.size()));
  }
  return largest > 0.0 ? largest : 1.0;
}

physics::ContactForm form_of(const std::string& model) {
  if (model == "barrier") return physics::ContactForm::barrier;
  return model == "penalty" ? physics::ContactForm::penalty : physics::ContactForm::spring;
}

/// Of models without forces.
std::optional<physics::KinematicForm> kinematic_form(const std::string& model) {
  if (model == "projection") return physics::KinematicForm::projection;
  if (model == "hold") return physics::KinematicForm::hold;
  if (model == "velocity") return physics::KinematicForm::velocity;
  return std::nullopt;
}

class ContactCompiler {
 public:
  ContactCompiler(const ContactSpec& asked, const std::vector<ContactPart>& parts,
                  Diagnostics& diagnostics)
      : asked_(asked), parts_(parts), diagnostics_(diagnostics) {}

  physics::ContactRules rules() const {
    physics::ContactRules rules;
    const std::string between =
        kinematic_form(asked_.model) ? "obstacles" : asked_.between.value_or("all");
    rules.between_bodies = between != "obstacles";
    rules.within_bodies = between == "all";
    for (std::size_t k = 0; k < asked_.except.size(); ++k)
      if (const auto pair = find(asked_.except[k].bodies, fmt::format("/contact/except/{}", k)))
        rules.exceptions.push_back(*pair);
    return rules;
  }

  physics::FrictionTable friction() const {
    const FrictionSpec& spec = *asked_.friction;
    physics::FrictionTable table(
        parts_.size(), law(spec.coefficient, spec.sticking, spec.slip, "/contact/friction"));
    for (std::size_t k = 0; k < spec.pairs.size(); ++k) {
      const FrictionPairSpec& pair = spec.pairs[k];
      const std::string pointer = fmt::format("/contact/friction/pairs/{}", k);
      if (const auto found = find(pair.bodies, pointer))
        table.set((*found)[0], (*found)[1],
                  law(pair.coefficient.value_or(spec.coefficient),
                      pair.sticking || pair.coefficient ? pair.sticking : spec.sticking, spec.slip,
                      pointer));
    }
    return table;
  }

  /// Motion that a model does not know what to do with.
  void require_rest(const std::vector<ObstacleSpec>& obstacles) const {
    for (std::size_t k = 0; k < obstacles.size(); ++k)
      if (obstacles[k].moves())
        diagnostics_.error(fmt::format("/obstacles/{}", k),
                           fmt::format("the model {} is for obstacles at rest", asked_.model),
                           "use projection, penalty or barrier, or let the obstacle rest");
  }

  /// Only methods that iterate can solve for friction and its loads together.
  void require_iterations(const IntegratorSpec& method, const Catalog& catalog) const {
    if (!asked_.friction || asked_.friction->loads != "coupled") return;
    for (const integrators::IntegratorEntry& entry : catalog.integrators()) {
      if (entry.traits.name != method.name) continue;
      const auto is_tolerance = [](const integrators::OptionInfo& option) {
        return option.name == "contact_tolerance";
      };
      if (std::none_of(entry.options.begin(), entry.options.end(), is_tolerance))
        diagnostics_.error(
            "/contact/friction/loads",
            fmt::format("{} solves once per step, with the normal forces of its beginning",
                        method.name),
            "use lagged loads, or a method with Newton's iterations such as be");
    }
  }

 private:
  physics::FrictionLaw law(double sliding, std::optional<double> sticking, double slip,
                           const std::string& pointer) const {
    if (sticking && *sticking < sliding)
      diagnostics_.error(pointer + "/static", "what sticks would be held less than what slides",
                         "static must not be below coefficient");
    return {.sticking = sticking.value_or(sliding), .sliding = sliding, .slip = slip};
  }

  std::optional<std::array<int, 2>> find(const std::vector<std::string>& names,
                                         const std::string& pointer) const {
    std::array<int, 2> pair{};
    if (names.size() != 2) {
      diagnostics_.error(pointer + "/bodies", "two names are needed",
                         "name two bodies or obstacles");
      return std::nullopt;
    }
    std::vector<std::string> known;
    for (const ContactPart& part : parts_) known.push_back(part.name);
    for (std::size_t k = 0; k < 2; ++k) {
      const auto found = std::find(known.begin(), known.end(), names[k]);
      if (found == known.end()) {
        diagnostics_.error(fmt::format("{}/bodies/{}", pointer, k),
                           fmt::format("there is no body or obstacle '{}'", names[k]),
                           core::suggestion(names[k], known));
        return std::nullopt;
      }
      pair[k] = static_cast<int>(found - known.begin());
    }
    return pair;
  }

  const ContactSpec& asked_;
  const std::vector<ContactPart>& parts_;
  Diagnostics& diagnostics_;
};

/// Of a closed part at rest: the largest angle between triangles that share an edge [degree].
double sharpest_edge(const ContactPart& part, const std::vector<Vec3>& positions) {
  const auto at = [&](int vertex) { return positions[static_cast<std::size_t>(vertex)]; };
  double sharpest = 0.0;
  // an edge and what is opposite to it on both sides
  for (const auto& [a, b, c, d] : mesh::find_hinges(part.triangles)) {
    const Vec3 edge = at(b) - at(a);
    const Vec3 n = edge.cross(Vec3(at(c) - at(a))), m = Vec3(at(d) - at(a)).cross(edge);
    sharpest = std::max(sharpest, std::atan2(n.cross(m).norm(), n.dot(m)));
  }
  return sharpest * 180.0 / std::numbers::pi;
}

/// Smooth surfaces are for round bodies: the lips that sharp edges become would be in the way.
void check_smooth(const std::vector<ContactPart>& parts,
                  const std::vector<std::array<int, 2>>& pairs,
                  const std::vector<physics::Body>& bodies, Diagnostics& diagnostics) {
  constexpr double sharp = 60.0;
  if (pairs.empty())
    diagnostics.warn(
        "/contact/surface", "nothing here meets anything by a smooth surface",
        "solids and closed meshes have one; with planes, spheres, capsules, cloth, ropes "
        "and themselves they meet by triangles");
  std::vector<Vec3> positions;
  for (const physics::Body& body : bodies)
    positions.insert(positions.end(), body.mesh.vertices.begin(), body.mesh.vertices.end());
  std::vector<char> is_met(parts.size(), 0);
  for (const auto& pair : pairs)
    for (const int part : pair) is_met[static_cast<std::size_t>(part)] = 1;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    if (!is_met[k] || !parts[k].is_closed) continue;
    const double angle = sharpest_edge(parts[k], positions);
    if (angle > sharp)
      diagnostics.error("/contact/surface",
                        fmt::format("'{}' has edges of {:.0f} degrees, and smooth surfaces are for "
                                    "round bodies, with up to {:.0f}",
                                    parts[k].name, angle, sharp),
                        "use triangles, a finer mesh, or except it under contact.except");
  }
}

}  // namespace

std::optional<physics::ContactRules> compile_contact(const SceneSpec& scene, const Catalog& catalog,
                                                     const std::vector<ContactPart>& parts,
                                                     physics::BodiesSpec& spec,
                                                     Diagnostics& diagnostics) {
  if (!scene.contact && scene.obstacles.empty()) return std::nullopt;
  const ContactSpec asked = scene.contact.value_or(ContactSpec{});
  const ContactCompiler compiler(asked, parts, diagnostics);
  constexpr double share_of_size = 2e-3;
  const double distance = asked.distance.value_or(share_of_size * mean_size(spec.bodies));
  const physics::ContactRules rules = compiler.rules();
  if (const auto form = kinematic_form(asked.model)) {
    if (*form != physics::KinematicForm::projection) compiler.require_rest(scene.obstacles);
    // what is projected must be inside
    const physics::KinematicLaw law{
        .form = *form,
        .distance = *form == physics::KinematicForm::projection ? 0.0 : distance,
        .reduction = asked.reduction};
    spec.contact = {
        parts, [rules, law](const std::vector<ContactPart>& met, const physics::TermSite& site) {
          std::vector<std::unique_ptr<physics::Term>> terms;
          terms.push_back(physics::make_kinematic_contact(
              std::make_shared<const physics::ContactSurface>(met, rules, site.numbering), law,
              site.masses));
          return terms;
        }};
    return std::nullopt;
  }
  const physics::ContactLaw law{
      .form = form_of(asked.model),
      .stiffness = asked.stiffness.value_or(stiffness_of_bodies(spec.bodies)),
      .distance = distance,
      .is_adaptive = asked.model == "barrier" && asked.adaptive,
      .is_explicit = asked.model == "penalty" && !asked.tangent};
  std::optional<physics::Friction> friction;
  if (asked.friction)
    friction = physics::Friction{.coefficients = compiler.friction(),
                                 .loads = asked.friction->loads == "coupled"
                                              ? physics::FrictionLoads::coupled
                                              : physics::FrictionLoads::lagged};
  compiler.require_iterations(scene.integrator, catalog);
  const bool is_smooth = asked.surface == "smooth";
  if (is_smooth) check_smooth(parts, physics::smooth_pairs(parts, rules), spec.bodies, diagnostics);
  spec.contact = {
      parts, [rules, law, friction, is_smooth](const std::vector<ContactPart>& met,
                                               const physics::TermSite& site) {
        const auto surface = [&](const physics::ContactRules& which) {
          return std::make_shared<const physics::ContactSurface>(met, which, site.numbering);
        };
        if (!is_smooth) return make_contact_terms(surface(rules), law, friction);
        const std::vector<std::array<int, 2>> smooth = physics::smooth_pairs(met, rules);
        physics::ContactRules by_features = rules;
        by_features.exceptions.insert(by_features.exceptions.end(), smooth.begin(), smooth.end());
        auto terms = make_contact_terms(surface(by_features), law, friction);
        for (auto& term : make_smooth_contact_terms(
                 surface(rules), smooth, law,
                 friction ? std::optional(friction->coefficients) : std::nullopt))
          terms.push_back(std::move(term));
        return terms;
      }};
  return law.form == physics::ContactForm::barrier ? std::optional(rules) : std::nullopt;
}

void check_start(const std::vector<ContactPart>& parts, const physics::ContactRules& rules,
                 const physics::TermSystem& system, const dynamics::State& state,
                 const std::function<std::string(int vertex)>& name_of, Diagnostics& diagnostics) {
  constexpr std::size_t most = 3;
  const physics::Numbering& numbering = system.sum().numbering();
  physics::PaddedField x(numbering.num_vertices());
  std::vector<int> user(static_cast<std::size_t>(numbering.num_vertices()), 0);
  for (int vertex = 0; vertex < numbering.num_user_vertices(); ++vertex) {
    x.vector(numbering.internal(vertex)) = system.vertex_position(vertex, state);
    user[static_cast<std::size_t>(numbering.internal(vertex))] = vertex;
  }
  const auto feature = [&](const std::vector<int>& vertices) {
    std::vector<std::string> names;
    names.reserve(vertices.size());
    for (const int vertex : vertices)
      names.push_back(name_of(user[static_cast<std::size_t>(vertex)]));
    if (vertices.empty()) return std::string("all of it");
    const char* kind = vertices.size() == 1   ? ""
                       : vertices.size() == 2 ? "edge of "
                                              : "triangle of ";
    return fmt::format("{}{}", kind, fmt::join(names, ", "));
  };
  const auto surface = std::make_shared<const physics::ContactSurface>(parts, rules, numbering);
  for (const physics::Overlap& overlap : physics::find_overlaps(surface, x, most))
    diagnostics.error("/contact",
                      fmt::format("'{}' and '{}' overlap at the start: {} meets {}",
                                  parts[static_cast<std::size_t>(overlap.parts[0])].name,
                                  parts[static_cast<std::size_t>(overlap.parts[1])].name,
                                  feature(overlap.vertices[0]), feature(overlap.vertices[1])),
                      "a barrier needs a gap everywhere: move them apart, except the pair under "
                      "contact.except, or use the model penalty");
}

}  // namespace sinew::scene
