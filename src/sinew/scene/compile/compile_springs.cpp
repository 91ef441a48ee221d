// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include <sinew/core/nearest.hpp>
#include <sinew/mesh/adjacency.hpp>
#include <sinew/physics/fibre.hpp>
#include <sinew/scene/compile/compile_springs.hpp>
#include <sinew/scene/compile/place_fields.hpp>

namespace sinew::scene {
namespace {

/// How one kind of spring is described.
struct SpringKind {
  const physics::SpringLawEntry* law = nullptr;
  PlaceField stiffness, section, rest_scale, hardening, damping_stiffness;
  std::optional<PlaceField> young, yield;
  std::map<std::string, PlaceField> constants{};
  bool has_own_stiffness = false, has_own_length = false;  ///< said by a region
};

class SpringCompiler {
 public:
  SpringCompiler(const BodySpec& spec, const std::string& pointer, const Catalog& catalog,
                 Diagnostics& diagnostics, physics::Body& body)
      : spec_(spec),
        own_(spec.springs),
        pointer_(pointer),
        catalog_(catalog),
        diagnostics_(diagnostics),
        fields_(catalog, diagnostics),
        body_(body),
        mesh_(body.mesh),
        damping_(rayleigh(spec.damping)) {}

  void run() {
    const bool is_listed = !own_.particles.empty();
    if (is_listed && !check_pairs()) return;
    if (!check_count("masses", "mass", own_.masses.size(), mesh_.vertices.size(), "particles"))
      return;
    // pairs that are listed twice are two springs; the edges of a mesh are found once each
    const bool is_table = !own_.springs_file.empty();
    bars_ = is_listed || is_table ? mesh_.bars : mesh::bars_and_edges(mesh_);
    if (!check_count("stiffnesses", "stiffness", own_.stiffnesses.size(), bars_.size(),
                     "springs") ||
        !check_count("rest_lengths", "rest_scale", own_.rest_lengths.size(), bars_.size(),
                     "springs"))
      return;
    make_points();
    describe_kinds();
    for (std::size_t s = 0; s < bars_.size(); ++s) body_.springs.push_back(make_spring(s));
    if (own_.fibre) make_fibres(*own_.fibre);
    make_bends();
  }

 private:
  /// Complains about the first pair that cannot be a spring.
  bool check_pairs() {
    for (std::size_t s = 0; s < mesh_.bars.size(); ++s) {
      const std::string place = fmt::format("{}/springs/{}", pointer_, s);
      for (const int particle : mesh_.bars[s]) {
        if (particle >= 0 && particle < mesh_.num_vertices()) continue;
        diagnostics_.error(place, fmt::format("there is no particle {}", particle),
                           fmt::format("the body has particles 0 to {}", mesh_.num_vertices() - 1));
        return false;
      }
      const auto& [a, b] = mesh_.bars[s];
      if (mesh_.vertices[a] != mesh_.vertices[b]) continue;
      diagnostics_.error(place,
                         a == b ? fmt::format("particle {} cannot be joined to itself", a)
                                : fmt::format("particles {} and {} lie at the same place", a, b),
                         "a spring needs a length: move a particle, or leave out the spring");
      return false;
    }
    return true;
  }

  bool check_count(const char* key, const char* one_for_all, std::size_t given, std::size_t wanted,
                   const char* of) {
    if (given == 0 || given == wanted) return true;
    diagnostics_.error(
        fmt::format("{}/{}", pointer_, key),
        fmt::format("there are {} {} for {} {}", given, key, wanted, of),
        fmt::format("give one for each of the {}, or \"{}\" for all", of, one_for_all));
    return false;
  }

  // ---- masses -------------------------------------------------------------------------------

  void make_points() {
    const std::vector<double> masses = masses_of_particles();
    const PlaceField damping = fields_.make(damping_.mass, pointer_ + "/damping/mass");
    for (std::size_t v = 0; v < masses.size(); ++v)
      body_.points.push_back(
          {.mass = masses[v],
           .damping_mass = fields_.evaluate(damping, mesh_.vertices[v], Range::not_negative())});
  }

  std::vector<double> masses_of_particles() {
    if (!own_.masses.empty()) return own_.masses;
    if (own_.density) return masses_by_density();
    if (!own_.mass && !mesh_.masses.empty()) return mesh_.masses;
    const PlaceField mass = fields_.make(own_.mass.value_or(1.0), pointer_ + "/mass");
    std::vector<double> masses;
    for (const Vec3& x : mesh_.vertices) masses.push_back(fields_.evaluate(mass, x, mass_range));
    return masses;
  }

  /// By what has an extent: tets, else triangles, else bars.
  std::vector<double> masses_by_density() {
    const PlaceField density = fields_.make(*own_.density, pointer_ + "/density");
    std::vector<double> masses(mesh_.vertices.size(), 0.0);
    const auto share = [&](const auto& corners, double extent) {
      Vec3 middle = Vec3::Zero();
      for (const int v : corners) middle += mesh_.vertices[v] / static_cast<double>(corners.size());
      const double mass = extent * fields_.evaluate(density, middle, density_range);
      for (const int v : corners)
        masses[static_cast<std::size_t>(v)] += mass / static_cast<double>(corners.size());
    };
    if (!mesh_.tets.empty()) {
      for (int t = 0; t < mesh_.num_tets(); ++t) share(mesh_.tets[t], signed_volume(mesh_, t));
    } else if (!mesh_.triangles.empty()) {
      for (const mesh::Triangle& face : mesh_.triangles) share(face, area(face));
    } else {
      for (const mesh::Edge& bar : bars_) share(bar, length(bar));
    }
    const auto none = std::find(masses.begin(), masses.end(), 0.0);
    if (none != masses.end())
      diagnostics_.error(pointer_ + "/density",
                         fmt::format("particle {} gets no mass", none - masses.begin()),
                         "it belongs to nothing that has an extent; give mass instead");
    return masses;
  }

  double length(const mesh::Edge& bar) const {
    return (mesh_.vertices[bar[1]] - mesh_.vertices[bar[0]]).norm();
  }
  double area(const mesh::Triangle& face) const {
    const Vec3& origin = mesh_.vertices[face[0]];
    return 0.5 *
           Vec3(mesh_.vertices[face[1]] - origin).cross(mesh_.vertices[face[2]] - origin).norm();
  }

  // ---- springs ------------------------------------------------------------------------------

  const physics::SpringLawEntry* find_law(const std::string& name, const std::string& place) {
    if (const auto* law = catalog_.find_spring_law(name)) return law;
    std::vector<std::string> known;
    for (const physics::SpringLawEntry& law : catalog_.spring_laws()) known.emplace_back(law.name);
    diagnostics_.error(place, fmt::format("there is no law '{}'", name),
                       core::suggestion(name, known));
    return &catalog_.spring_laws().front();
  }

  void describe_kinds() {
    const auto make = [&](const Formula& formula, const char* key) {
      return fields_.make(formula, pointer_ + key);
    };
    SpringKind kind{.law = find_law(own_.law, pointer_ + "/law"),
                    .stiffness = make(own_.stiffness, "/stiffness"),
                    .section = make(own_.section, "/section"),
                    .rest_scale = make(own_.rest_scale, "/rest_scale"),
                    .hardening = make(own_.hardening, "/hardening"),
                    .damping_stiffness = make(damping_.stiffness, "/damping/stiffness")};
    if (own_.young) kind.young = make(*own_.young, "/young");
    if (own_.yield) kind.yield = make(*own_.yield, "/yield");
    set_constants(kind, own_.constants, pointer_);
    kinds_.push_back(std::move(kind));
    kind_of_spring_.assign(bars_.size(), 0);
    for (std::size_t r = 0; r < spec_.regions.size(); ++r) {
      const std::string place = fmt::format("{}/regions/{}", pointer_, r);
      diagnostics_.collect(place + "/select", [&] { apply_region(spec_.regions[r], place); });
    }
  }

  void set_constants(SpringKind& kind, const std::map<std::string, Formula>& constants,
                     const std::string& place) {
    for (const auto& [name, formula] : constants)
      kind.constants.insert_or_assign(name,
                                      fields_.make(formula, fmt::format("{}/{}", place, name)));
  }

  void apply_region(const RegionSpec& region, const std::string& place) {
    const std::vector<int> chosen = mesh::select_bars(mesh_, bars_, region.select);
    if (chosen.empty())
      diagnostics_.error(place + "/select", "this selects no spring",
                         diagnostics_.extent_hint(mesh_));
    // regions may overlap: each kind found here becomes a new one
    std::map<int, int> replacement;
    for (const int s : chosen) {
      int& kind = kind_of_spring_[static_cast<std::size_t>(s)];
      const auto [target, is_new] = replacement.emplace(kind, static_cast<int>(kinds_.size()));
      if (is_new) kinds_.push_back(changed(kinds_[static_cast<std::size_t>(kind)], region, place));
      kind = target->second;
    }
  }

  SpringKind changed(SpringKind kind, const RegionSpec& region, const std::string& place) {
    const SpringChanges& changes = region.springs;
    const auto change = [&](auto& target, const std::optional<Formula>& formula, const char* key) {
      if (formula) target = fields_.make(*formula, place + key);
    };
    if (changes.law) kind.law = find_law(*changes.law, place + "/springs/law");
    change(kind.stiffness, changes.stiffness, "/springs/stiffness");
    // the one that is given here counts
    if (changes.stiffness) kind.young.reset();
    change(kind.young, changes.young, "/springs/young");
    change(kind.section, changes.section, "/springs/section");
    change(kind.rest_scale, changes.rest_scale, "/springs/rest_scale");
    change(kind.yield, changes.yield, "/springs/yield");
    change(kind.hardening, changes.hardening, "/springs/hardening");
    change(kind.damping_stiffness, region.damping_stiffness, "/damping/stiffness");
    set_constants(kind, changes.constants, place + "/springs");
    kind.has_own_stiffness = kind.has_own_stiffness || changes.stiffness || changes.young;
    kind.has_own_length = kind.has_own_length || changes.rest_scale.has_value();
    return kind;
  }

  physics::Spring make_spring(std::size_t s) {
    const SpringKind& kind = kinds_[static_cast<std::size_t>(kind_of_spring_[s])];
    const auto& [first, second] = bars_[s];
    const Vec3 middle = 0.5 * (mesh_.vertices[first] + mesh_.vertices[second]);
    const auto at_middle = [&](const PlaceField& field, const Range& range) {
      return fields_.evaluate(field, middle, range);
    };
    physics::Spring spring{
        .vertices = bars_[s],
        .law = kind.law,
        .stiffness = at_middle(kind.stiffness, stiffness_range),
        .rest_length = length(bars_[s]) * at_middle(kind.rest_scale, Range::positive()),
        .section = at_middle(kind.section, Range::not_negative()),
        .hardening = at_middle(kind.hardening, Range::not_negative()),
        .damping_stiffness = at_middle(kind.damping_stiffness, Range::not_negative()),
        .damping_shape = shape_of_damping()};
    if (kind.yield) spring.yield = at_middle(*kind.yield, Range::positive());
    if (kind.young) {
      if (spring.section <= 0.0 && !has_no_section_)
        diagnostics_.error(kind.young->place, "Young's modulus needs a section",
                           "give \"section\", the area of the cross-section");
      has_no_section_ = has_no_section_ || spring.section <= 0.0;
      spring.stiffness = at_middle(*kind.young, young_range) * spring.section / length(bars_[s]);
    }
    for (std::size_t k = 0; k < kind.law->constants.size(); ++k) {
      const physics::NamedConstant& constant = kind.law->constants[k];
      const auto given = kind.constants.find(std::string(constant.name));
      spring.constants[k] = given == kind.constants.end()
                                ? constant.standard
                                : at_middle(given->second, {.minimum = constant.minimum,
                                                            .maximum = constant.maximum});
    }
    // what a region says of its springs wins over lists of all
    if (!own_.stiffnesses.empty() && !kind.has_own_stiffness)
      spring.stiffness = own_.stiffnesses[s];
    if (!own_.rest_lengths.empty() && !kind.has_own_length)
      spring.rest_length = own_.rest_lengths[s];
    return spring;
  }

  /// The regions of a brush get their stiffnesses from the moduli of its fibres, whose thickness
  /// and segments are those of the mesh.
  void make_fibres(const FibreSpec& fibre) {
    const std::string place = pointer_ + "/fibre";
    std::map<std::string, int> region;
    for (const auto& [number, name] : mesh_.region_names) region[name] = number;
    if (!region.contains("axial") || !region.contains("ring") || !region.contains("diagonal")) {
      diagnostics_.error(
          place, "this mesh is not made of fibres",
          "it needs bars in regions axial, ring and diagonal, as the generator brush "
          "makes them");
      return;
    }
    const auto shortest = [&](const char* name) {
      double least = std::numeric_limits<double>::infinity();
      for (std::size_t s = 0; s < mesh_.bar_regions.size(); ++s)
        if (mesh_.bar_regions[s] == region[name]) least = std::min(least, length(bars_[s]));
      return least;
    };
    const physics::FibreStiffness stiffness =
        physics::fibre_stiffness(fibre.young, fibre.torsion, shortest("ring"), shortest("axial"));
    for (std::size_t s = 0; s < mesh_.bar_regions.size(); ++s)
      body_.springs[s].stiffness = mesh_.bar_regions[s] == region["axial"]  ? stiffness.axial
                                   : mesh_.bar_regions[s] == region["ring"] ? stiffness.ring
                                                                            : stiffness.diagonal;
  }

  physics::DampingShape shape_of_damping() const {
    if (spec_.damping.shape == "rest") return physics::DampingShape::rest;
    return spec_.damping.shape == "along" ? physics::DampingShape::along
                                          : physics::DampingShape::current;
  }

  // ---- bending ------------------------------------------------------------------------------

  void make_bends() {
    if (own_.bending) {
      const PlaceField rigidity = fields_.make(*own_.bending, pointer_ + "/bending");
      const std::size_t before = body_.bends.size();
      if (mesh_.triangles.empty())
        bend_chains(rigidity);
      else
        bend_hinges(rigidity);
      if (body_.bends.size() == before)
        diagnostics_.error(pointer_ + "/bending", "there is nothing that could be bent",
                           "it takes triangles with common edges, or bars in a row");
    }
    if (own_.angle) join_springs(fields_.make(*own_.angle, pointer_ + "/angle"));
  }

  void add_bend(std::vector<int> vertices, const PlaceField& rigidity, double factor,
                const Vec3& place) {
    const SpringKind& kind = kinds_.front();
    body_.bends.push_back(
        {.vertices = std::move(vertices),
         .stiffness = factor * fields_.evaluate(rigidity, place, Range::positive()),
         .damping_stiffness =
             fields_.evaluate(kind.damping_stiffness, place, Range::not_negative()),
         .damping_shape = shape_of_damping()});
  }

  /// k = rigidity / (half the length of both bars), at particles with two of them.
  void bend_chains(const PlaceField& rigidity) {
    const mesh::Adjacency around(mesh_.num_vertices(), bars_);
    for (int v = 0; v < mesh_.num_vertices(); ++v) {
      const std::span<const int> ends = around.of(v);
      if (ends.size() != 2) continue;
      const double both = length({ends[0], v}) + length({v, ends[1]});
      add_bend({ends[0], v, ends[1]}, rigidity, 2.0 / both, mesh_.vertices[v]);
    }
  }

  /// k = rigidity |edge|^2 / (area of both triangles): exact for a sheet of equilateral ones.
  void bend_hinges(const PlaceField& rigidity) {
    for (const mesh::Hinge& hinge : mesh::find_hinges(mesh_.triangles)) {
      const auto& [a, b, left, right] = hinge;
      const double areas = area({a, b, left}) + area({b, a, right});
      const Vec3 middle = 0.5 * (mesh_.vertices[a] + mesh_.vertices[b]);
      add_bend({a, b, left, right}, rigidity, length({a, b}) * length({a, b}) / areas, middle);
    }
  }

  void join_springs(const PlaceField& stiffness) {
    const mesh::Adjacency around(mesh_.num_vertices(), bars_);
    for (int v = 0; v < mesh_.num_vertices(); ++v) {
      const std::span<const int> ends = around.of(v);
      for (std::size_t a = 0; a < ends.size(); ++a)
        for (std::size_t b = a + 1; b < ends.size(); ++b)
          add_bend({ends[a], v, ends[b]}, stiffness, 1.0, mesh_.vertices[v]);
    }
  }

  const BodySpec& spec_;
  const SpringsSpec& own_;
  const std::string& pointer_;
  const Catalog& catalog_;
  Diagnostics& diagnostics_;
  PlaceFields fields_;
  physics::Body& body_;
  const mesh::TetMesh& mesh_;
  DampingSpec damping_;
  std::vector<mesh::Edge> bars_;
  std::vector<SpringKind> kinds_;
  std::vector<int> kind_of_spring_;
  bool has_no_section_ = false;
};

}  // namespace

void compile_springs(const BodySpec& spec, const std::string& pointer, const Catalog& catalog,
                     Diagnostics& diagnostics, physics::Body& body) {
  SpringCompiler(spec, pointer, catalog, diagnostics, body).run();
}

}  // namespace sinew::scene
