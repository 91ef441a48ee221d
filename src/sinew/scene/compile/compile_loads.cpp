// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>
#include <set>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include <sinew/mesh/surface.hpp>
#include <sinew/scene/compile/compile_loads.hpp>

namespace sinew::scene {
namespace {

physics::TimeWindow window_of(const LoadSpec& load) {
  physics::TimeWindow window;
  if (load.from) window.from = *load.from;
  if (load.until) window.until = *load.until;
  return window;
}

class LoadCompiler {
 public:
  LoadCompiler(const FindVertices& find_vertices, const Sharing* sharing, const Catalog& catalog,
               physics::BodiesSpec& spec, FormulaWatch& watch, Diagnostics& diagnostics)
      : find_vertices_(find_vertices),
        sharing_(sharing),
        catalog_(catalog),
        spec_(spec),
        watch_(watch),
        diagnostics_(diagnostics) {}

  void add(const LoadSpec& load, const std::string& pointer) {
    if (load.type == "gravity") return add_gravity(load, pointer);
    const std::vector<int> vertices = find_vertices_(load.body, load.select, pointer);
    if (!diagnostics_.anywhere(!vertices.empty())) return;
    if (const physics::TermEntry* term = catalog_.find_term(load.type))
      add_term(load, *term, vertices);
    else if (load.type == "pressure" || load.type == "wind")
      add_to_faces(load, pointer, vertices);
    else
      add_force(load, pointer, vertices);
  }

 private:
  void share_out(physics::VertexLoad& load) const {
    const auto over_all = [&](std::span<const int> vertices, std::span<const double> numbers) {
      double here = 0.0;
      for (std::size_t k = 0; k < vertices.size(); ++k)
        if (sharing_->owns(vertices[k])) here += numbers[k];
      return sharing_->reducer().total(here);
    };
    if (sharing_)
      physics::share_out(spec_.bodies, load, over_all);
    else
      physics::share_out(spec_.bodies, load);
  }

  /// What is seen of a body at the edge of a part is its surface only where it has a vertex of its
  /// own: all elements around those are there.
  bool is_seen_whole(std::span<const int> vertices) const {
    return !sharing_ ||
           std::any_of(vertices.begin(), vertices.end(), [&](int v) { return sharing_->owns(v); });
  }

  std::shared_ptr<const physics::VectorFormula> vector_formula(const Formulas& texts,
                                                               const std::string& place) {
    auto formulas = std::make_shared<const physics::VectorFormula>(
        parse_expressions(texts, place, catalog_, diagnostics_));
    watch_.add(formulas, *formulas, place);
    return formulas;
  }

  std::shared_ptr<const core::Expression> formula(const Formula& text, const std::string& place) {
    auto parsed = parse_expression(text.text, place, catalog_, diagnostics_);
    auto result = std::make_shared<const core::Expression>(parsed ? std::move(*parsed)
                                                                  : core::Expression(0.0));
    watch_.add(result, place);
    return result;
  }

  void add_gravity(const LoadSpec& load, const std::string& pointer) {
    const auto value = vector_formula(load.value, pointer + "/value");
    const physics::TimeWindow window = window_of(load);
    bool is_constant = !window.is_bounded();
    for (const core::Expression& component : *value)
      is_constant = is_constant && !component.depends_on_position() && !component.depends_on_time();
    if (is_constant) {
      for (int axis = 0; axis < 3; ++axis)
        spec_.gravity[axis] += (*value)[static_cast<std::size_t>(axis)](Vec3::Zero(), 0.0);
      if (!spec_.gravity.allFinite())
        diagnostics_.error(pointer + "/value", "this is not finite",
                           "for example [0, 0, -9.81] m/s^2");
      return;
    }
    physics::VertexLoad weight{
        .value = value, .window = window, .shares = physics::LoadShares::mass};
    weight.vertices.resize(physics::num_vertices(spec_.bodies));
    std::iota(weight.vertices.begin(), weight.vertices.end(), 0);
    share_out(weight);
    spec_.forces.push_back(std::move(weight));
  }

  void add_force(const LoadSpec& load, const std::string& pointer,
                 const std::vector<int>& vertices) {
    const bool is_pulse = load.type == "pulse";
    if (is_pulse && !(load.from && load.until && *load.from < *load.until)) {
      diagnostics_.error(pointer, "a pulse needs a time to begin and a later one to end",
                         "for example \"from\": 0.1, \"until\": 0.2");
      return;
    }
    physics::VertexLoad force{
        .vertices = vertices,
        .value = vector_formula(load.value, pointer + "/value"),
        .window = window_of(load),
        .envelope = is_pulse ? physics::Envelope::pulse : physics::Envelope::constant,
        .shares = physics::LoadShares::volume};
    share_out(force);
    spec_.forces.push_back(std::move(force));
  }

  void add_term(const LoadSpec& load, const physics::TermEntry& term,
                const std::vector<int>& vertices) {
    spec_.further_terms.push_back(
        [make = term.make, numbers = load.parameters, vertices](const physics::TermSite& site) {
          physics::TermArguments arguments{.site = site, .vertices = {}, .numbers = numbers};
          for (const int vertex : vertices)
            arguments.vertices.push_back(site.numbering.internal(vertex));
          std::vector<std::unique_ptr<physics::Term>> terms;
          terms.push_back(make(arguments));
          return terms;
        });
  }

  /// The body of this name, or the only one, and the number of its first vertex.
  std::pair<const physics::Body*, int> body_of(const std::string& name) const {
    int offset = 0;
    for (const physics::Body& body : spec_.bodies) {
      if (name.empty() || body.name == name) return {&body, offset};
      offset += body.mesh.num_vertices();
    }
    return {&spec_.bodies.back(), 0};
  }

  /// Pressure on faces; wind on faces, or on bars where there are none.
  void add_to_faces(const LoadSpec& load, const std::string& pointer,
                    const std::vector<int>& vertices) {
    const std::set<int> chosen(vertices.begin(), vertices.end());
    const auto [body, offset] = body_of(load.body);
    const auto pick = [&, first = offset](const auto& cells) {
      std::remove_cvref_t<decltype(cells)> picked;
      for (auto cell : cells) {
        for (int& vertex : cell) vertex += first;
        if (std::all_of(cell.begin(), cell.end(), [&](int v) { return chosen.contains(v); }) &&
            is_seen_whole(cell))
          picked.push_back(cell);
      }
      return picked;
    };
    const bool is_cloth = body->mesh.tets.empty() && !body->mesh.triangles.empty();
    // of a solid that is with other processes, nothing is here
    if (body->mesh.tets.empty() && !is_cloth && !sharing_)
      return add_to_bars(load, pointer, *body, pick);
    const physics::LoadedFaces faces = faces_of(*body, pick);
    const bool has_faces = std::visit([](const auto& known) { return !known.empty(); }, faces);
    if (!diagnostics_.anywhere(has_faces)) {
      diagnostics_.error(pointer + "/select", "this selects no face of the surface",
                         "all vertices of a face must be selected");
      return;
    }
    if (load.type == "wind" && is_cloth && load.diameter > 0.0)
      add_wind_on(loose_bars(*body, pick), load, pointer);
    if (load.type == "pressure")
      spec_.pressures.push_back(
          {faces, formula(load.pressure, pointer + "/pressure"), window_of(load)});
    else
      spec_.winds.push_back({.faces = faces,
                             .is_two_sided = is_cloth,
                             .velocity = vector_formula(load.velocity, pointer + "/velocity"),
                             .density = load.density,
                             .drag = load.drag,
                             .window = window_of(load)});
  }

  template <class Pick>
  static physics::LoadedFaces faces_of(const physics::Body& body, const Pick& pick) {
    if (body.mesh.is_quadratic()) return pick(mesh::extract_curved_faces(body.mesh));
    return pick(body.mesh.tets.empty() ? body.mesh.triangles
                                       : mesh::extract_surface(body.mesh).triangles);
  }

  template <class Pick>
  void add_to_bars(const LoadSpec& load, const std::string& pointer, const physics::Body& body,
                   const Pick& pick) {
    if (load.type == "pressure") {
      diagnostics_.error(pointer + "/type", "a body of bars has no surface for pressure to act on",
                         "use a force");
      return;
    }
    if (load.diameter <= 0.0) {
      diagnostics_.error(pointer + "/diameter", "wind on bars needs to know how thick they are",
                         "give \"diameter\" in m");
      return;
    }
    std::vector<mesh::Edge> bars = loose_bars(body, pick);
    if (bars.empty())
      diagnostics_.error(pointer + "/select", "this selects no bar",
                         "both ends of a bar must be selected");
    add_wind_on(std::move(bars), load, pointer);
  }

  /// Springs that are no edges of triangles, as far as they are picked.
  template <class Pick>
  static std::vector<mesh::Edge> loose_bars(const physics::Body& body, const Pick& pick) {
    mesh::TetMesh surface;
    surface.triangles = body.mesh.triangles;
    const std::vector<mesh::Edge> edges = mesh::edges_of(surface);
    std::vector<mesh::Edge> bars;
    for (const physics::Spring& spring : body.springs) {
      const auto [low, high] = std::minmax({spring.vertices[0], spring.vertices[1]});
      if (!std::binary_search(edges.begin(), edges.end(), mesh::Edge{low, high}))
        bars.push_back(spring.vertices);
    }
    return pick(bars);
  }

  void add_wind_on(std::vector<mesh::Edge> bars, const LoadSpec& load, const std::string& pointer) {
    spec_.winds.push_back({.bars = std::move(bars),
                           .diameter = load.diameter,
                           .velocity = vector_formula(load.velocity, pointer + "/velocity"),
                           .density = load.density,
                           .drag = load.drag,
                           .window = window_of(load)});
  }

  const FindVertices& find_vertices_;
  const Sharing* sharing_;
  const Catalog& catalog_;
  physics::BodiesSpec& spec_;
  FormulaWatch& watch_;
  Diagnostics& diagnostics_;
};

}  // namespace

void compile_loads(const std::vector<LoadSpec>& loads, const FindVertices& find_vertices,
                   const Sharing* sharing, const Catalog& catalog, physics::BodiesSpec& spec,
                   FormulaWatch& watch, Diagnostics& diagnostics) {
  LoadCompiler compiler(find_vertices, sharing, catalog, spec, watch, diagnostics);
  for (std::size_t k = 0; k < loads.size(); ++k)
    compiler.add(loads[k], fmt::format("/loads/{}", k));
}

}  // namespace sinew::scene
