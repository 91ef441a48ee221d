// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>

#include <fmt/format.h>

#include <sinew/core/error.hpp>
#include <sinew/integrators/parts/shifted_matrix.hpp>
#include <sinew/la/phi/arnoldi.hpp>
#include <sinew/la/phi/oscillator_flow.hpp>
#include <sinew/mesh/generators.hpp>
#include <sinew/physics/bodies.hpp>

#include "bench.hpp"

namespace sinew::cli {
namespace {

constexpr double h = 0.01, phi_tolerance = 1e-6;

/// A slender bar of 3,600 unknowns, held at one end.
physics::BodiesSpec slender_bar(double young, double damping) {
  physics::Body body;
  body.name = "bar";
  body.mesh = mesh::make_bar({.size = {1.0, 1.0 / 12, 1.0 / 12}, .cells = {48, 4, 4}});
  body.tets.assign(body.mesh.tets.size(), {.material = physics::find_material("stable-neo-hookean"),
                                           .moduli = physics::moduli(young, 0.45),
                                           .damping_stiffness = damping});
  physics::BodiesSpec spec;
  spec.gravity = {0.0, 0.0, -9.81};
  for (int v = 0; v < body.mesh.num_vertices(); ++v)
    if (body.mesh.vertices[v][0] < 1e-9) spec.fixed.push_back(v);
  spec.bodies.push_back(std::move(body));
  return spec;
}

/// h J on (q, v) as it stands, with the plain inner product: what a general-purpose routine sees.
class PlainMap final : public la::GeneralMap {
 public:
  explicit PlainMap(const la::Pencil& pencil) : pencil_(pencil), Kq_(pencil.K.size()) {}
  Index size() const override { return 2 * Kq_.size(); }
  void apply(const VecIn& x, VecOut Ax, VecOut Gx) const override {
    const Index n = Kq_.size();
    pencil_.K.apply(x.head(n), Kq_);
    pencil_.M_inverse.apply(Kq_, Ax.tail(n));
    Ax.tail(n) *= -h;
    Ax.head(n) = h * x.tail(n);
    Gx = x;
  }
  void weigh(const VecIn& x, VecOut Gx) const override { Gx = x; }
  /// It may be anything in this inner product; nobody asks.
  double growth() const override { return 0.0; }
  double scale_of(const VecIn& y) const override { return y.norm(); }

 private:
  const la::Pencil& pencil_;
  mutable Vec Kq_;
};

/// h phi_1(h J) F at a bent, moving state, by every kernel.
class Problem {
 public:
  /// `bend`: deflection of the end.
  Problem(double young, double bend, double damping = 0.0)
      : system_(physics::to_terms(slender_bar(young, damping))),
        shifted_(integrators::default_services()) {
    const auto workspace = system_.make_workspace();
    dynamics::State state = system_.rest_state();
    for (Index i = 0; i < state.q.size(); i += 3) {
      const double x = state.q[i];
      state.q[i + 2] -= bend * x * x;
      state.v[i + 2] = -x * x;
      state.v[i] = 0.1 * std::sin(7.0 * x);
    }
    linearization_ = system_.make_linearization();
    shifted_.bind(*linearization_);
    Vec f;
    system_.linearize(state, {}, *workspace, *linearization_, &f);
    hv_ = h * state.v;
    ha_.resize(f.size());
    system_.mass_inverse().apply(f, ha_);
    ha_ *= h;
  }

  Index size() const { return hv_.size(); }
  la::Pencil pencil() const {
    return {linearization_->stiffness(), system_.mass(), system_.mass_inverse()};
  }

  struct Result {
    la::Phase motion;
    la::PhiReport report;
  };

  Result solve(la::PhiKernel kernel, double accuracy = phi_tolerance) {
    const la::Pencil pencil = this->pencil();
    la::PhiEvaluator evaluator({.kernel = kernel, .tolerance = accuracy, .max_dimension = 400});
    evaluator.bind(pencil, la::serial_reducer());
    Result result;
    const std::array<la::PhiTerm, 1> terms{{{1, &hv_, &ha_}}};
    constexpr std::array<double, 1> end{1.0};
    const la::FlowDamping damping{.general = linearization_->damping(), .shifted = &shifted_};
    result.report = la::oscillator_flow(evaluator, damping, h, terms, end, {&result.motion, 1});
    require(result.report);
    return result;
  }

  Result solve_plainly() const {
    const la::Pencil pencil = this->pencil();
    const PlainMap map(pencil);
    Mat B(2 * size(), 1), Y(2 * size(), 1);
    B << hv_, ha_;
    Result result;
    result.report = la::phi_arnoldi(map, B, std::array{1.0}, Y,
                                    {.tolerance = phi_tolerance,
                                     .min_dimension = 40,
                                     .max_dimension = 40,
                                     .max_substeps = 1000000},
                                    la::serial_reducer());
    require(result.report);
    result.motion = {Y.col(0).head(size()), Y.col(0).tail(size())};
    return result;
  }

 private:
  static void require(const la::PhiReport& report) {
    if (report.status != la::PhiStatus::ok)
      throw InternalError(fmt::format("{} did not converge", la::to_string(report.kernel)));
  }

  physics::TermSystem system_;
  std::unique_ptr<dynamics::Linearization> linearization_;
  integrators::ShiftedMatrix shifted_;
  Vec hv_, ha_;
};

double difference(const la::Phase& a, const la::Phase& b) {
  return std::max((a.q - b.q).norm() / b.q.norm(), (a.v - b.v).norm() / b.v.norm());
}

}  // namespace

void bench_phi(BenchLog& log) {
  constexpr int rounds = 3;
  for (const double young : {1e5, 1e6, 1e7, 1e8, 1e9, 1e10}) {
    // about equal energies, whatever the stiffness
    Problem problem(young, 0.05 * std::sqrt(1e5 / young));
    const la::Phase exact = problem.solve(la::PhiKernel::chebyshev, 1e-11).motion;
    if (young == 1e5)
      log.title(fmt::format(
          "one step of ere to {:g}, {} unknowns, h = {} s, one core; ratio to the kernel chosen",
          phi_tolerance, problem.size(), h));
    struct Row {
      std::string name;
      std::function<Problem::Result()> solve;
    };
    std::vector<Row> rows{{"chosen", [&] { return problem.solve(la::PhiKernel::automatic); }}};
    if (young <= 1e8) {
      // larger spaces than this cost more in their small problems than in products
      if (young <= 1e6)
        rows.push_back({"lanczos", [&] { return problem.solve(la::PhiKernel::lanczos); }});
      rows.push_back({"chebyshev", [&] { return problem.solve(la::PhiKernel::chebyshev); }});
      rows.push_back(
          {"arnoldi, energy norm", [&] { return problem.solve(la::PhiKernel::arnoldi); }});
      rows.push_back({"arnoldi, plain, 40 vectors", [&] { return problem.solve_plainly(); }});
    }
    std::vector<Contender> contenders;
    contenders.reserve(rows.size());
    for (const Row& row : rows) contenders.push_back({row.name, [&row] { (void)row.solve(); }});
    const std::vector<Timing> timings = race(contenders, rounds);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const Problem::Result done = rows[k].solve();
      const std::string kernel =
          k == 0 ? fmt::format("{} ({})", rows[k].name, la::to_string(done.report.kernel))
                 : rows[k].name;
      log.row(fmt::format("E = {:g}: {}, {} products, off by {:.0e}", young, kernel,
                          done.report.products, difference(done.motion, exact)),
              timings[k].median_seconds, timings[k].ratio);
    }
  }
}

void bench_damped_phi(BenchLog& log) {
  constexpr int rounds = 3;
  log.title(fmt::format(
      "one step of ere to {:g}, h = {} s, one core, damped about the rest shape of a bent bar; "
      "ratio "
      "to the same without damping",
      phi_tolerance, h));
  for (const double young : {1e6, 1e7, 1e8})
    for (const double ratio : {2e-3, 2e-2, 2e-1, 2.0}) {
      const double bend = 0.3 * std::sqrt(1e5 / young);
      Problem undamped(young, bend), problem(young, bend, ratio * h);
      const la::Phase exact = problem.solve(la::PhiKernel::arnoldi, 1e-9).motion;
      struct Row {
        std::string_view name;
        la::PhiKernel kernel;
      };
      std::vector<Row> rows{{"chosen", la::PhiKernel::automatic}};
      for (const la::PhiKernel kernel :
           {la::PhiKernel::faber, la::PhiKernel::shift_invert, la::PhiKernel::arnoldi}) {
        try {
          (void)problem.solve(kernel);
          rows.push_back({la::to_string(kernel), kernel});
        } catch (const InternalError&) {
        }
      }
      std::vector<Contender> contenders{
          {"undamped", [&] { (void)undamped.solve(la::PhiKernel::automatic); }}};
      for (const Row& row : rows)
        contenders.push_back(
            {std::string(row.name), [&problem, &row] { (void)problem.solve(row.kernel); }});
      const std::vector<Timing> timings = race(contenders, rounds);
      for (std::size_t k = 0; k < rows.size(); ++k) {
        const Problem::Result done = problem.solve(rows[k].kernel);
        log.row(
            fmt::format("E = {:g}, stiffness damping {:g} h: {} ({}), {} products, {} solves, off "
                        "by {:.0e}",
                        young, ratio, rows[k].name, la::to_string(done.report.kernel),
                        done.report.products, done.report.solves, difference(done.motion, exact)),
            timings[k + 1].median_seconds, timings[k + 1].ratio);
      }
    }
}

}  // namespace sinew::cli
