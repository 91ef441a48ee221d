// SPDX-License-Identifier: Apache-2.0
// Forces written in Python, which scenes name as loads.
#include <sinew/scene/catalog.hpp>

#include "bindings.hpp"
#include "python_call.hpp"

namespace sinew::python {
namespace {

using physics::Configuration, physics::TermWork;

/// force(x, v, t) on the selected vertices, and where it has them energy(x, t) and
/// stiffness(x, v, t), one block of 3 x 3 per vertex.
class PythonTerm final : public physics::Term {
 public:
  PythonTerm(const py::object& own, std::string row, std::vector<int> vertices)
      : own_(keep(own)),
        row_(std::move(row)),
        vertices_(std::move(vertices)),
        has_energy_(has(own, "energy")),
        has_stiffness_(has(own, "stiffness")),
        uses_velocity_(attribute(own, "uses_velocity", false)),
        depends_on_time_(attribute(own, "depends_on_time", false)) {}

  physics::TermTraits traits() const override {
    physics::TermTraits traits{.uses_velocity = uses_velocity_,
                               .depends_on_time = depends_on_time_,
                               .couples = false,
                               .has_exact_stiffness = has_stiffness_ && !uses_velocity_};
    if (has_energy_) {
      traits.force = physics::TermForce::potential;
      traits.row = {row_, dynamics::LedgerKind::stored};
    }
    return traits;
  }

  double energy(const Configuration& at, TermWork&) const override {
    if (!has_energy_) return 0.0;
    const py::gil_scoped_acquire lock;
    return own_->attr("energy")(rows(at.x), at.t).cast<double>();
  }
  void add_force(const Configuration& at, TermWork&, physics::PaddedField& f) const override {
    const py::gil_scoped_acquire lock;
    const auto force = values(own_->attr("force")(rows(at.x), rows(at.v), at.t), {3}, "force");
    for (std::size_t k = 0; k < vertices_.size(); ++k)
      f.vector(vertices_[k]) += Eigen::Map<const Vec3>(force.data() + 3 * k);
  }
  Index add_tangent(const Configuration& at, dynamics::Definiteness definiteness, TermWork&,
                    const physics::TangentOut& out) const override {
    if (!has_stiffness_ || !out.K) return 0;
    using dynamics::Definiteness;
    const bool is_clamped = definiteness == Definiteness::psd_clamp;
    const bool is_projected = is_clamped || definiteness == Definiteness::psd_abs;
    const py::gil_scoped_acquire lock;
    py::object blocks = own_->attr("stiffness")(rows(at.x), rows(at.v), at.t);
    Index changed = 0;
    if (is_projected) {
      const py::tuple projected =
          py::module_::import("sinew._additions").attr("project")(blocks, is_clamped);
      blocks = projected[0];
      changed = projected[1].cast<Index>();
    }
    const auto entries = values(blocks, {3, 3}, "stiffness");
    for (std::size_t k = 0; k < vertices_.size(); ++k) {
      const Mat3 block = Eigen::Map<const Mat3>(entries.data() + 9 * k);
      out.K->add(vertices_[k], vertices_[k], 0.5 * (block + block.transpose()));
    }
    return changed;
  }

 private:
  py::array_t<double> rows(const physics::PaddedField& field) const {
    py::array_t<double> result({static_cast<py::ssize_t>(vertices_.size()), py::ssize_t{3}});
    for (std::size_t k = 0; k < vertices_.size(); ++k)
      std::copy_n(field.at(vertices_[k]), 3, result.mutable_data() + 3 * k);
    return result;
  }
  /// One entry of this shape per vertex.
  Array<double> values(const py::object& given, std::vector<py::ssize_t> shape,
                       const char* what) const {
    shape.insert(shape.begin(), static_cast<py::ssize_t>(vertices_.size()));
    const auto array = Array<double>::ensure(given);
    if (!array ||
        !std::equal(shape.begin(), shape.end(), array.shape(), array.shape() + array.ndim()))
      throw py::value_error(std::string(what) + "() of the force '" + row_ +
                            "' must return an array with one entry per vertex");
    return array;
  }

  std::shared_ptr<py::object> own_;
  std::string row_;
  std::vector<int> vertices_;
  bool has_energy_, has_stiffness_, uses_velocity_, depends_on_time_;
};

physics::TermEntry term_entry(const std::string& name, const py::object& make,
                              const std::map<std::string, std::vector<double>>& parameters) {
  physics::TermEntry entry{.name = name};
  for (const auto& [key, defaults] : parameters) entry.parameters.push_back({key, defaults});
  entry.make = [name, make = keep(make)](const physics::TermArguments& given) {
    const py::gil_scoped_acquire lock;
    std::vector<Vec3> rest;
    for (const int vertex : given.vertices) rest.push_back(given.site.numbering.rest(vertex));
    py::dict keywords;
    for (const auto& [key, values] : given.numbers)
      keywords[key.c_str()] =
          values.size() == 1
              ? py::object(py::float_(values[0]))
              : py::object(owning_array<double>(values, {static_cast<py::ssize_t>(values.size())}));
    const py::object own = (*make)(rows_array<double>(std::move(rest)), **keywords);
    return std::make_unique<PythonTerm>(own, name, given.vertices);
  };
  return entry;
}

}  // namespace

void bind_physics(py::module_& module) {
  module.def(
      "add_force",
      [](scene::Catalog& catalog, const std::string& name, const py::object& make,
         const std::map<std::string, std::vector<double>>& parameters) {
        catalog.add(term_entry(name, make, parameters));
      },
      py::arg("catalog"), py::arg("name"), py::arg("make"), py::arg("parameters"));
}

}  // namespace sinew::python
