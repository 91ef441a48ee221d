// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include <sinew/mesh/selection.hpp>
#include <sinew/scene/compile/compile_materials.hpp>
#include <sinew/scene/compile/place_fields.hpp>

namespace sinew::scene {
namespace {

/// How one kind of tet is described.
struct Description {
  std::string model, model_place;
  PlaceField young, poisson, density, damping_mass, damping_stiffness;
  std::map<std::string, PlaceField> constants{};
};

class MaterialCompiler {
 public:
  MaterialCompiler(const BodySpec& body, const mesh::TetMesh& mesh, std::string pointer,
                   const Catalog& catalog, Diagnostics& diagnostics)
      : body_(body),
        mesh_(mesh),
        pointer_(std::move(pointer)),
        catalog_(catalog),
        diagnostics_(diagnostics),
        fields_(catalog, diagnostics) {}

  std::vector<physics::TetProperties> run() {
    describe_kinds();
    std::vector<physics::TetProperties> result;
    for (int t = 0; t < mesh_.num_tets(); ++t) {
      Vec3 centroid = Vec3::Zero();
      for (const int vertex : mesh_.tets[t]) centroid += mesh_.vertices[vertex] / 4.0;
      result.push_back(properties(kinds_[kind_of_tet_[t]], centroid));
    }
    return result;
  }

 private:
  void change(PlaceField& target, const std::optional<Formula>& formula, const std::string& place) {
    if (formula) target = fields_.make(*formula, place);
  }

  void set_constants(Description& kind, const std::map<std::string, Formula>& constants,
                     const std::string& place) {
    for (const auto& [name, formula] : constants)
      kind.constants.insert_or_assign(name,
                                      fields_.make(formula, fmt::format("{}/{}", place, name)));
  }

  /// Those of the kind's own material, at one place.
  std::array<double, physics::max_constants> own_constants(const Description& kind,
                                                           const physics::MaterialEntry& material,
                                                           const Vec3& centroid) {
    std::array<double, physics::max_constants> values{};
    for (std::size_t k = 0; k < material.constants.size(); ++k) {
      const physics::NamedConstant& constant = material.constants[k];
      const auto given = kind.constants.find(std::string(constant.name));
      values[k] =
          given == kind.constants.end()
              ? constant.standard
              : fields_.evaluate(given->second, centroid,
                                 {.minimum = constant.minimum, .maximum = constant.maximum});
    }
    return values;
  }

  void describe_kinds() {
    const std::string material = pointer_ + "/material", damping = pointer_ + "/damping";
    const DampingSpec spec = rayleigh(body_.damping);
    kinds_.push_back({body_.material.model, material + "/model",
                      fields_.make(body_.material.young, material + "/young"),
                      fields_.make(body_.material.poisson, material + "/poisson"),
                      fields_.make(body_.material.density, material + "/density"),
                      fields_.make(spec.mass, damping + "/mass"),
                      fields_.make(spec.stiffness, damping + "/stiffness")});
    set_constants(kinds_.back(), body_.material.constants, material);
    kind_of_tet_.assign(mesh_.tets.size(), 0);
    for (std::size_t r = 0; r < body_.regions.size(); ++r) {
      const std::string place = fmt::format("{}/regions/{}", pointer_, r);
      diagnostics_.collect(place + "/select", [&] { apply_region(body_.regions[r], place); });
    }
  }

  void apply_region(const RegionSpec& region, const std::string& place) {
    const std::vector<int> chosen = mesh::select_tets(mesh_, region.select);
    if (!diagnostics_.anywhere(!chosen.empty()))
      diagnostics_.error(place + "/select", "this selects no tet", diagnostics_.extent_hint(mesh_));
    // regions may overlap: each kind found here becomes a new one
    std::vector<int> replacement(kinds_.size(), -1);
    for (const int t : chosen) {
      int& kind = kind_of_tet_[static_cast<std::size_t>(t)];
      int& target = replacement[static_cast<std::size_t>(kind)];
      if (target < 0) {
        Description changed = kinds_[static_cast<std::size_t>(kind)];
        if (region.model) {
          changed.model = *region.model;
          changed.model_place = place + "/material/model";
        }
        change(changed.young, region.young, place + "/material/young");
        change(changed.poisson, region.poisson, place + "/material/poisson");
        set_constants(changed, region.constants, place + "/material");
        change(changed.density, region.density, place + "/material/density");
        change(changed.damping_mass, region.damping_mass, place + "/damping/mass");
        change(changed.damping_stiffness, region.damping_stiffness, place + "/damping/stiffness");
        target = static_cast<int>(kinds_.size());
        kinds_.push_back(std::move(changed));
      }
      kind = target;
    }
  }

  physics::TetProperties properties(const Description& kind, const Vec3& centroid) {
    const double young = fields_.evaluate(kind.young, centroid, young_range);
    const double poisson = fields_.evaluate(kind.poisson, centroid, poisson_range);
    const double density = fields_.evaluate(kind.density, centroid, density_range);
    warn_about(kind, young, poisson, density);
    const physics::MaterialEntry* material = catalog_.find_material(kind.model);
    return {.material = material,
            .moduli = physics::moduli(young, poisson, own_constants(kind, *material, centroid)),
            .density = density,
            .damping_mass = fields_.evaluate(kind.damping_mass, centroid, Range::not_negative()),
            .damping_stiffness =
                fields_.evaluate(kind.damping_stiffness, centroid, Range::not_negative()),
            .damping_shape = body_.damping.shape == "current" ? physics::DampingShape::current
                                                              : physics::DampingShape::rest,
            .consistent_mass = body_.mass == "consistent"};
  }

  void warn_about(const Description& kind, double young, double poisson, double density) {
    const auto warn = [&](const std::string& place, std::string what, std::string hint) {
      if (warned_.insert(place).second) diagnostics_.warn(place, std::move(what), std::move(hint));
    };
    // moduli of metals in GPa are below 500, and hardly anything is that soft
    if (young >= 1.0 && young < 500.0)
      warn(kind.young.place, fmt::format("a Young's modulus of {:.3g} Pa is unlikely", young),
           fmt::format("units are SI: if GPa are meant, write {:.3g}; rubber has about 1e6 Pa",
                       1e9 * young));
    else if (young < 1.0 || young > 1e13)
      warn(kind.young.place, fmt::format("a Young's modulus of {:.3g} Pa is unlikely", young),
           "units are SI: rubber has about 1e6 Pa, steel 2e11 Pa");
    else if (density > 2500.0 && young < 1e7)
      warn(kind.young.place,
           fmt::format("a Young's modulus of {:.3g} Pa is unlikely with a density of {:.4g} kg/m^3",
                       young, density),
           fmt::format("units are SI: if MPa are meant, write {:.3g}; steel has 2e11 Pa",
                       1e6 * young));
    if (density < 1.0 || density > 3e4)
      warn(kind.density.place, fmt::format("a density of {:.3g} kg/m^3 is unlikely", density),
           "units are SI: water has 1000 kg/m^3");
    if (poisson > 0.45 && !mesh_.is_quadratic())
      warn(kind.poisson.place,
           fmt::format("linear tets are too stiff with Poisson's ratio {:.6g} (locking)", poisson),
           "say \"order\": 2 in \"mesh\" for tets with ten vertices, or use at most 0.45");
    if (poisson < 0.0)
      warn(kind.poisson.place,
           fmt::format("with Poisson's ratio {:.3g} a body that is pulled grows thicker", poisson),
           "common materials have 0 to 0.5");
    const physics::MaterialEntry* material = catalog_.find_material(kind.model);
    const physics::Moduli rest = material->small_strain(physics::moduli(young, poisson));
    if (3.0 * rest.lambda + 2.0 * rest.mu <= 0.0)
      warn(kind.model_place,
           fmt::format("{} has no resistance to a change of volume with Poisson's ratio {:.3g}",
                       kind.model, poisson),
           "raise Poisson's ratio, or use another model; see sinew info " + kind.model);
  }

  const BodySpec& body_;
  const mesh::TetMesh& mesh_;
  std::string pointer_;
  const Catalog& catalog_;
  Diagnostics& diagnostics_;
  std::vector<Description> kinds_;
  std::vector<int> kind_of_tet_;
  PlaceFields fields_;
  std::set<std::string> warned_;  // places that have had their warning
};

}  // namespace

std::vector<physics::TetProperties> compile_materials(const BodySpec& body,
                                                      const mesh::TetMesh& mesh,
                                                      const std::string& pointer,
                                                      const Catalog& catalog,
                                                      Diagnostics& diagnostics) {
  return MaterialCompiler(body, mesh, pointer, catalog, diagnostics).run();
}

}  // namespace sinew::scene
