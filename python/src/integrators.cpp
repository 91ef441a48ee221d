// SPDX-License-Identifier: Apache-2.0
// Methods written in Python, and what the built-in ones do to an oscillator.
#include <deque>

#include <sinew/integrators/numerical_damping.hpp>
#include <sinew/integrators/registry.hpp>
#include <sinew/scene/catalog.hpp>

#include "bindings.hpp"
#include "python_call.hpp"

namespace sinew::python {
namespace {

using dynamics::State;
using integrators::StepContext, integrators::StepStatus;

/// What a method may ask during a step.
class Asking {
 public:
  Asking(StepContext& step, const State& now, la::LinearSolver& solver,
         std::unique_ptr<dynamics::Linearization>& linearization)
      : step_(&step), at_(now), solver_(solver), linearization_(linearization) {}

  void end() { step_ = nullptr; }
  double dt() { return step().dt; }
  Vec force(const Vec& q, const Vec& v, double t) {
    Vec f(at_.q.size());
    step().force(moved_to(q, v, t), f);
    return f;
  }
  double potential(const Vec& q, double t) { return step().potential(moved_to(q, at_.v, t)); }
  Vec divide_by_mass(const Vec& x) {
    Vec y(x.size());
    require_size(x);
    step().divide_by_mass(x, y);
    return y;
  }
  /// (m M + d D + k K)^-1 b, with the matrices at a state.
  Vec solve(double m, double d, double k, const Vec& b, const Vec& q, const Vec& v, double t) {
    require_size(b);
    const State& at = moved_to(q, v, t);
    if (!linearization_ || linearization_->system_id != step().system().id())
      linearization_ = step().system().make_linearization();
    step().linearize(at, *linearization_);
    Vec x = Vec::Zero(b.size());
    la::SolveStatus status = step().factorize(solver_, linearization_->combine(m, d, k), at);
    if (status == la::SolveStatus::ok) status = step().solve(solver_, b, x);
    if (status != la::SolveStatus::ok)
      throw py::value_error("the linear system could not be solved: " +
                            std::string(la::to_string(status)));
    return x;
  }

 private:
  StepContext& step() const {
    if (!step_) throw std::runtime_error("a step can be asked for the length of the call only");
    return *step_;
  }
  void require_size(const Vec& x) const {
    if (x.size() != at_.q.size())
      throw py::value_error("there are " + std::to_string(at_.q.size()) + " degrees of freedom");
  }
  const State& moved_to(const Vec& q, const Vec& v, double t) {
    require_size(q);
    require_size(v);
    at_.q = q;
    at_.v = v;
    at_.t = t;
    return at_;
  }

  StepContext* step_;
  State at_;
  la::LinearSolver& solver_;
  std::unique_ptr<dynamics::Linearization>& linearization_;
};

/// step(asking, q, v, t) gives the new (q, v), or None where it cannot; accepted(q, v, t) and
/// reset() are told where there are such functions.
class PythonIntegrator final : public integrators::Integrator {
 public:
  PythonIntegrator(const py::object& own, const integrators::Services& services)
      : Integrator(services),
        own_(keep(own)),
        solver_(add_solver()),
        has_accepted_(has(own, "accepted")),
        has_reset_(has(own, "reset")) {}

 private:
  StepStatus do_step(StepContext& step, const State& now, State& next) override {
    const py::gil_scoped_acquire lock;
    const auto asking = std::make_shared<Asking>(step, now, solver_, linearization_);
    const py::object result = own_->attr("step")(asking, now.q, now.v, now.t);
    asking->end();
    if (result.is_none()) return StepStatus::newton_not_converged;
    const auto [q, v] = result.cast<std::pair<Vec, Vec>>();
    if (q.size() != now.q.size() || v.size() != now.q.size())
      throw py::value_error("step() must return (q, v) of " + std::to_string(now.q.size()) +
                            " numbers each");
    next.q = q;
    next.v = v;
    next.t = now.t + step.dt;
    return StepStatus::accepted;
  }
  void commit(const State&, const State& after) override {
    if (!has_accepted_) return;
    const py::gil_scoped_acquire lock;
    own_->attr("accepted")(after.q, after.v, after.t);
  }
  void forget_history() override {
    if (!has_reset_) return;
    const py::gil_scoped_acquire lock;
    own_->attr("reset")();
  }

  std::shared_ptr<py::object> own_;
  la::LinearSolver& solver_;
  std::unique_ptr<dynamics::Linearization> linearization_;
  bool has_accepted_, has_reset_;
};

/// Texts that live as long as the process: tables of methods refer to theirs.
std::string_view kept_text(const std::string& text) {
  static std::deque<std::string> texts;
  return texts.emplace_back(text);
}

integrators::IntegratorEntry integrator_entry(
    const py::object& type, const std::map<std::string, integrators::OptionValue>& options) {
  const auto text = [&](const char* name) {
    return kept_text(attribute<std::string>(type, name, ""));
  };
  integrators::IntegratorEntry entry{
      .traits = {.name = text("name"),
                 .title = text("title"),
                 .order = attribute(type, "order", 1),
                 .is_implicit = attribute(type, "is_implicit", false),
                 .multistep = attribute(type, "multistep", false)}};
  for (const auto& [name, value] : options) {
    integrators::OptionInfo info{.name = name, .default_value = value};
    info.minimum = -std::numeric_limits<double>::infinity();
    if (std::holds_alternative<long>(value)) info.minimum = std::numeric_limits<int>::min();
    entry.options.push_back(std::move(info));
  }
  std::vector<std::string> names;
  for (const auto& [name, value] : options) names.push_back(name);
  entry.make =
      [type = keep(type), names](
          const integrators::Options& values,
          const integrators::Services& services) -> std::unique_ptr<integrators::Integrator> {
    const py::gil_scoped_acquire lock;
    py::dict given;
    for (const std::string& name : names) given[name.c_str()] = values.values().at(name);
    return std::make_unique<PythonIntegrator>((*type)(**given), services);
  };
  return entry;
}

/// d/omega at every h omega.
std::vector<double> damping(const scene::Catalog& catalog, const std::string& method,
                            const std::vector<double>& h_omega) {
  const integrators::IntegratorEntry* entry = catalog.find_integrator(method);
  if (!entry) integrators::make_integrator(method);  // throws with the nearest name
  const integrators::Options options(entry->options);
  std::vector<double> result;
  for (const double value : h_omega) {
    if (!(value > 0.0)) throw py::value_error("h_omega must be above 0");
    result.push_back(integrators::measure_amplification(*entry, options, value).damping(value));
  }
  return result;
}

}  // namespace

void bind_integrators(py::module_& module) {
  py::class_<Asking, std::shared_ptr<Asking>>(module, "Step", "A step that is being made.")
      .def_property_readonly("dt", &Asking::dt, "Its length [s].")
      .def("force", &Asking::force, py::arg("q"), py::arg("v"), py::arg("t"), "f(q, v, t) [N].")
      .def("potential", &Asking::potential, py::arg("q"), py::arg("t"), "W(q, t) [J].")
      .def("divide_by_mass", &Asking::divide_by_mass, py::arg("x"), "M^-1 x.")
      .def("solve", &Asking::solve, py::arg("m"), py::arg("d"), py::arg("k"), py::arg("b"),
           py::arg("q"), py::arg("v"), py::arg("t"),
           "(m M + d D + k K)^-1 b with M, D = -df/dv and K = -df/dq at (q, v, t).");
  module.def(
      "add_integrator",
      [](scene::Catalog& catalog, const py::object& type,
         const std::map<std::string, integrators::OptionValue>& options) {
        catalog.add(integrator_entry(type, options));
      },
      py::arg("catalog"), py::arg("type"), py::arg("options"));
  module.def("damping", &damping, py::arg("catalog"), py::arg("method"), py::arg("h_omega"));
}

}  // namespace sinew::python
