// SPDX-License-Identifier: Apache-2.0
// A simulation that is stepped from Python.
#include <cstring>

#include <sinew/dynamics/capabilities/observables.hpp>
#include <sinew/integrators/registry.hpp>
#include <sinew/physics/terms/applied_forces.hpp>
#include <sinew/scene/compile/compile.hpp>

#include "bindings.hpp"
#include "python_system.hpp"

namespace sinew::python {
namespace {

using dynamics::State;

/// q and v are arrays of Python's that are written after every step and looked at before the next
/// one, so that they can be kept, changed in place, and outlive the simulation.
class Stepping {
 public:
  Stepping(const scene::SceneSpec& scene, std::shared_ptr<scene::Catalog> catalog,
           bool takes_forces)
      : catalog_(std::move(catalog)) {
    std::vector<physics::TermFactory> terms;
    if (takes_forces) terms.push_back(forces_.emplace().term());
    compiled_ = with_signals(
        [&](const std::function<bool()>&) { return scene::compile(scene, *catalog_, {}, terms); });
    executor_ = compiled_.executor.get();
    simulation_ = compiled_.simulation.get();
    prepare();
  }

  Stepping(const py::object& system, const Vec& q, const Vec& v, const std::string& integrator,
           const std::map<std::string, integrators::OptionValue>& options, double dt,
           std::shared_ptr<scene::Catalog> catalog)
      : catalog_(std::move(catalog)), own_executor_(std::make_unique<core::Executor>(1)) {
    auto made = make_python_system(system);
    if (q.size() != made->num_dofs() || v.size() != made->num_dofs())
      throw py::value_error("q and v need " + std::to_string(made->num_dofs()) + " numbers");
    if (!(dt > 0.0)) throw py::value_error("dt must be above 0");
    const integrators::IntegratorEntry* entry = catalog_->find_integrator(integrator);
    if (!entry) integrators::make_integrator(integrator);  // throws with the nearest name
    integrators::Options values(entry->options);
    for (const auto& [name, value] : options) {
      if (!values.values().contains(name))
        throw InputError({.where = "/integrator/" + name, .what = "there is no such option"});
      values.set(name, value);
    }
    own_simulation_ = std::make_unique<sim::Simulation>(
        std::move(made), State{.q = q, .v = v},
        integrators::make_integrator(*entry, values, integrators::default_services()),
        sim::SimulationSettings{.dt = dt, .end = dt, .fps = 0.0, .fails_on_absurd_energy = false});
    simulation_ = own_simulation_.get();
    executor_ = own_executor_.get();
    prepare();
  }

  /// Whether all of them succeeded.
  bool step(long count) {
    push();
    bool ok = true;
    is_busy_ = has_books_ = true;
    {
      const py::gil_scoped_release unlocked;
      try {
        for (long k = 0; ok && k < count; ++k) {
          if (k > 0 && signals_.is_pending()) break;
          ok = simulation_->step();
        }
      } catch (const core::Interrupted&) {
        // raised below
      } catch (...) {
        const py::gil_scoped_acquire locked;
        is_busy_ = false;
        pull();
        throw;
      }
    }
    is_busy_ = false;
    pull();
    signals_.raise();
    return ok;
  }

  const py::array_t<double>& q() const { return q_; }
  const py::array_t<double>& v() const { return v_; }
  double t() const { return t_; }
  void set_q(const Array<double>& values) { assign(values, q_, "q"); }
  void set_v(const Array<double>& values) { assign(values, v_, "v"); }
  void set_t(double t) {
    if (!std::isfinite(t)) throw py::value_error("t must be finite");
    t_ = t;
  }

  Vec force() {
    push();
    Vec f(state().q.size());
    simulation_->system().force(state(), simulation_->workspace(), f);
    return f;
  }
  double potential() {
    push();
    return simulation_->system().potential(state(), simulation_->workspace());
  }
  py::tuple matrix(const std::string& kind) {
    push();
    const dynamics::DynamicalSystem& system = simulation_->system();
    if (kind == "mass") return py::cast(sparse_entries(system.mass()));
    const auto linearization = system.make_linearization();
    system.linearize(state(), {}, simulation_->workspace(), *linearization);
    if (kind == "stiffness") return py::cast(sparse_entries(linearization->stiffness()));
    if (const la::LinearOperator* damping = linearization->damping())
      return py::cast(sparse_entries(*damping));
    return py::cast(sparse_entries(la::DiagonalOperator(Vec::Zero(state().q.size()))));
  }

  py::array_t<double> field(const std::string& name) {
    push();
    const dynamics::Observables& observables = dynamics::observables_of(simulation_->system());
    for (const dynamics::FieldInfo& info : observables.fields()) {
      if (info.name != name) continue;
      const dynamics::Geometry& geometry = observables.geometry();
      const Index sites = info.site == dynamics::FieldSite::per_point
                              ? geometry.num_points
                              : static_cast<Index>(geometry.types.size());
      Vec values(sites * info.components);
      observables.evaluate_field(name, state(), simulation_->workspace(), values);
      std::vector<py::ssize_t> shape{sites};
      if (info.components > 1) shape.push_back(info.components);
      return owning_array<double>(std::move(values), shape);
    }
    throw py::key_error(name);
  }
  std::vector<std::string> field_names() const {
    std::vector<std::string> names;
    for (const auto& info : dynamics::observables_of(simulation_->system()).fields())
      names.push_back(info.name);
    return names;
  }

  /// One row per vertex as the user counts them.
  void set_load(const Array<double>& forces) {
    if (!forces_) throw py::value_error("this simulation was made without forces");
    const std::vector<Vec3> rows = rows_of<Vec3>(forces, "forces");
    if (!rows.empty() && static_cast<int>(rows.size()) != num_vertices())
      throw py::value_error("one force per vertex is needed, of which there are " +
                            std::to_string(num_vertices()));
    push();
    forces_->set(rows);
    has_books_ = true;
    simulation_->refresh_books();
  }

  int num_vertices() const { return terms() ? terms()->num_vertices() : 0; }
  /// First dof of every vertex; -1: it is not free.
  py::array_t<Index> dofs() const {
    std::vector<Index> first;
    for (int vertex = 0; vertex < num_vertices(); ++vertex)
      first.push_back(terms()->dof_of_vertex(vertex));
    const auto count = static_cast<py::ssize_t>(first.size());
    return owning_array<Index>(std::move(first), {count});
  }

  py::dict energy() {
    push();
    if (!has_books_) simulation_->refresh_books();
    has_books_ = true;
    const sim::EnergyLedger& ledger = simulation_->ledger();
    const sim::EnergyRecord& record = ledger.record();
    py::dict result;
    result["kinetic"] = record.kinetic;
    for (std::size_t k = 0; k < record.stored.size(); ++k)
      result[ledger.stored_names()[k].c_str()] = record.stored[k];
    result["total"] = record.total;
    result["external_work"] = record.external_work;
    for (std::size_t k = 0; k < record.lost.size(); ++k)
      result[(ledger.loss_names()[k] + "_loss").c_str()] = record.lost[k];
    result["numerical_loss"] = record.numerical_loss;
    return result;
  }

  py::dict counts() const {
    const sim::RunSummary& summary = simulation_->summary();
    const core::Counts& counts = summary.profile.counts;
    py::dict result;
    result["accepted"] = summary.accepted_steps;
    result["rejected"] = summary.rejected_steps;
    result["force"] = counts.force;
    result["tangent"] = counts.tangent;
    result["factorizations"] = counts.factorizations;
    result["solves"] = counts.solves;
    result["newton"] = counts.newton;
    return result;
  }

  /// Why the last step failed: (status, explanation, t, dt).
  py::tuple failure() const {
    const sim::RunSummary& summary = simulation_->summary();
    return py::make_tuple(std::string(integrators::to_string(summary.last_failure)),
                          std::string(integrators::explanation(summary.last_failure)),
                          summary.failure_time, summary.failure_dt);
  }
  double dt() const { return simulation_->dt(); }
  std::vector<Problem> warnings() const { return compiled_.warnings; }

 private:
  const State& state() const { return simulation_->state(); }
  const physics::TermSystem* terms() const {
    return dynamic_cast<const physics::TermSystem*>(&simulation_->system());
  }

  void prepare() {
    simulation_->set_interrupt([this] { return signals_.is_pending(); }, *executor_);
    pull();
  }
  /// What Python changed becomes the state.
  void push() {
    if (is_busy_) throw std::runtime_error("this simulation makes a step on another thread");
    const auto same = [](const Vec& own, const py::array_t<double>& shown) {
      return std::memcmp(own.data(), shown.data(),
                         sizeof(double) * static_cast<std::size_t>(own.size())) == 0;
    };
    if (state().t == t_ && same(state().q, q_) && same(state().v, v_)) return;
    State next = state();
    std::copy_n(q_.data(), next.q.size(), next.q.data());
    std::copy_n(v_.data(), next.v.size(), next.v.data());
    next.t = t_;
    if (!next.q.allFinite() || !next.v.allFinite()) throw py::value_error("q and v must be finite");
    simulation_->set_state(std::move(next));
  }
  void pull() {
    const State& now = state();
    if (!q_ || q_.size() != now.q.size()) {  // at first, and after cuts
      q_ = py::array_t<double>(now.q.size());
      v_ = py::array_t<double>(now.v.size());
    }
    std::copy_n(now.q.data(), now.q.size(), q_.mutable_data());
    std::copy_n(now.v.data(), now.v.size(), v_.mutable_data());
    t_ = now.t;
  }
  static void assign(const Array<double>& values, py::array_t<double>& target, const char* name) {
    if (values.size() != target.size())
      throw py::value_error(std::string(name) + " needs " + std::to_string(target.size()) +
                            " numbers");
    std::copy_n(values.data(), values.size(), target.mutable_data());
  }

  std::shared_ptr<scene::Catalog> catalog_;
  std::optional<physics::AppliedForces> forces_;
  scene::CompiledScene compiled_;
  std::unique_ptr<core::Executor> own_executor_;
  std::unique_ptr<sim::Simulation> own_simulation_;
  sim::Simulation* simulation_ = nullptr;
  core::Executor* executor_ = nullptr;
  Signals signals_;
  py::array_t<double> q_{0}, v_{0};
  double t_ = 0.0;
  bool has_books_ = false, is_busy_ = false;  // read and written with the lock held
};

py::list as_tuples(const std::vector<Problem>& problems) {
  py::list result;
  for (const Problem& problem : problems)
    result.append(py::make_tuple(problem.file, problem.where, problem.what, problem.hint));
  return result;
}

}  // namespace

void bind_sim(py::module_& module) {
  py::class_<Stepping>(module, "Stepping")
      .def(py::init<const scene::SceneSpec&, std::shared_ptr<scene::Catalog>, bool>(),
           py::arg("scene"), py::arg("catalog"), py::arg("takes_forces"))
      .def(py::init<const py::object&, const Vec&, const Vec&, const std::string&,
                    const std::map<std::string, integrators::OptionValue>&, double,
                    std::shared_ptr<scene::Catalog>>(),
           py::arg("system"), py::arg("q"), py::arg("v"), py::arg("integrator"), py::arg("options"),
           py::arg("dt"), py::arg("catalog"))
      .def("step", &Stepping::step, py::arg("count"))
      .def_property("q", &Stepping::q, &Stepping::set_q)
      .def_property("v", &Stepping::v, &Stepping::set_v)
      .def_property("t", &Stepping::t, &Stepping::set_t)
      .def_property_readonly("dt", &Stepping::dt)
      .def_property_readonly("num_vertices", &Stepping::num_vertices)
      .def("force", &Stepping::force)
      .def("potential", &Stepping::potential)
      .def("matrix", &Stepping::matrix, py::arg("kind"))
      .def("field", &Stepping::field, py::arg("name"))
      .def("field_names", &Stepping::field_names)
      .def("set_load", &Stepping::set_load, py::arg("forces"))
      .def("dofs", &Stepping::dofs)
      .def("energy", &Stepping::energy)
      .def("counts", &Stepping::counts)
      .def("failure", &Stepping::failure)
      .def("warnings", [](const Stepping& self) { return as_tuples(self.warnings()); });
}

}  // namespace sinew::python
