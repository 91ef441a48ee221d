// SPDX-License-Identifier: Apache-2.0
// Element-wise implicit-explicit steps against dense matrices.
#include <algorithm>
#include <cmath>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include <sinew/dynamics/capabilities/split.hpp>
#include <sinew/dynamics/explicit_stability.hpp>
#include <sinew/integrators/registry.hpp>

#include "support/contact_scenes.hpp"

namespace sinew::test {
namespace {

/// A bar whose far third is a hundred times as stiff.
scene::CompiledScene graded_bar(const std::string& material, const char* integrator, double dt,
                                double end, double damping = 0.0, double safety = 0.95,
                                int order = 1, int order_of_tets = 1) {
  return compile_text(fmt::format(
      R"("bodies": [ {{ "mesh": {{ "generator": "bar", "size": [0.6, 0.1, 0.1], "cells": {}, "order": {} }},
            "material": {{ "model": "{}", "young": "x < 0.4 ? 1e5 : 1e7", "density": 1000 }},
            "damping": {{ "stiffness": {} }} }} ],
         "fixed": [ {{ "select": {{ "plane": {{ "normal": [1, 0, 0] }} }} }} ],
         "loads": [ {{ "type": "gravity" }} ],
         "integrator": {{ "name": "{}"{}, "solver": {{ "factor": "every-step" }} }},
         "time": {{ "dt": {}, "end": {} }})",
      order_of_tets == 1 ? "[12, 2, 2]" : "[6, 1, 1]", order_of_tets, material, damping, integrator,
      std::string(integrator) == "imex"
          ? fmt::format(R"(, "safety": {}, "order": {})", safety, order)
          : "",
      dt, end));
}

struct Dense {
  Mat K, D;
  Vec mass, rest;  // and where it begins
  Vec load;        // forces there

  explicit Dense(const scene::CompiledScene& scene) {
    const physics::TermSystem& system = scene.system();
    const auto workspace = system.make_workspace();
    const auto linearization = system.make_linearization();
    system.linearize(scene.simulation->state(), {}, *workspace, *linearization);
    K = linearization->stiffness().assembled()->to_dense();
    D = linearization->damping() ? linearization->damping()->assembled()->to_dense()
                                 : Mat(Mat::Zero(K.rows(), K.cols()));
    mass = *system.mass().diagonal_only();
    rest = scene.simulation->state().q;
    load.resize(rest.size());
    system.force(scene.simulation->state(), *workspace, load);
  }
  /// Of a linear body, displaced from where it begins.
  Vec force(const Vec& u, const Vec& v) const { return load - K * u - D * v; }
  double largest(const Mat& S, const std::vector<Index>& dofs) const {
    const Vec root = mass(dofs).cwiseSqrt().cwiseInverse();
    const Mat scaled = root.asDiagonal() * S(dofs, dofs) * root.asDiagonal();
    return Eigen::SelfAdjointEigenSolver<Mat>(scaled).eigenvalues().maxCoeff();
  }
};

dynamics::Partition partition_of(const scene::CompiledScene& scene, double dt, double safety) {
  dynamics::Partition split;
  const auto workspace = scene.system().make_workspace();
  scene.system().capabilities().split->partition(scene.simulation->state(),
                                                 {.dt = dt, .safety = safety}, *workspace, split);
  return split;
}

TEST(ExplicitStability, IsThatOfDenseMatrices) {
  // tets with four nodes, damped ones, and such with ten
  for (const auto& [damping, order_of_tets] :
       {std::pair{0.0, 1}, std::pair{2e-4, 1}, std::pair{2e-4, 2}}) {
    const scene::CompiledScene scene =
        graded_bar("linear", "si", 1e-3, 0.01, damping, 0.95, 1, order_of_tets);
    const Dense dense(scene);
    const double h = 1e-3;
    const Mat S = h * h * dense.K + 2.0 * h * dense.D;
    const auto workspace = scene.system().make_workspace();
    const auto linearization = scene.system().make_linearization();
    scene.system().linearize(scene.simulation->state(), {}, *workspace, *linearization);
    const la::LinearOperator& assembled = linearization->combine(0.0, 2.0 * h, h * h);
    const dynamics::ElementNodes elements = scene.system().element_nodes();
    const dynamics::ExplicitStability stability(*assembled.assembled(), dense.mass, elements);
    const std::vector<double> values = stability.element_values();
    ASSERT_EQ(static_cast<int>(values.size()), elements.size());
    for (int e = 0; e < elements.size(); ++e) {
      std::vector<Index> dofs;
      for (const int node : elements.of(e))
        for (Index c = 0; c < 3; ++c) dofs.push_back(3 * node + c);
      const double exact = dense.largest(S, dofs);
      EXPECT_GE(values[static_cast<std::size_t>(e)], exact * (1.0 - 1e-10));
      EXPECT_LE(values[static_cast<std::size_t>(e)], exact * 1.014);
    }
    std::vector<Index> all(static_cast<std::size_t>(dense.K.rows()));
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<Index>(i);
    const double exact = dense.largest(S, all);
    const double found = stability.largest(std::vector<char>(all.size() / 3, 1)).value;
    EXPECT_GE(found, exact * (1.0 - 1e-9));
    EXPECT_LE(found, exact * 1.002);
    // what elements leave out, the whole must see
    const auto worst = std::max_element(values.begin(), values.end());
    for (const double share : {0.99, 0.5, 0.05, 0.01}) {
      const double limit = share * exact;
      const std::vector<char> is_implicit = stability.implicit_nodes(limit);
      std::vector<Index> others;
      for (std::size_t i = 0; i < all.size(); ++i)
        if (!is_implicit[i / 3]) others.push_back(all[i]);
      if (!others.empty()) {
        EXPECT_LT(dense.largest(S, others), limit) << share;
      }
      EXPECT_LT(others.size(), all.size()) << share;
    }
    EXPECT_LT(*worst, exact * 1.014);  // blocks have less than the whole
  }
}

TEST(Imex, IsTheFormulaOfThePaper) {
  for (const double damping : {0.0, 1e-5}) {
    const double h = 1e-3;
    scene::CompiledScene scene = graded_bar("linear", "imex", h, 50 * h, damping);
    const Dense dense(scene);
    const auto [E, I] = partition_of(scene, h, 0.95);
    ASSERT_GT(E.size(), 30U);
    ASSERT_GT(I.size(), 30U);
    const Mat S = Mat(dense.mass(I).asDiagonal()) + h * dense.D(I, I) + h * h * dense.K(I, I);
    const Eigen::LDLT<Mat> factor(S);
    Vec u = Vec::Zero(dense.rest.size()), v = u;
    for (int step = 0; step < 50; ++step) {
      const Vec f = dense.force(u, v);
      v(E) += h * f(E).cwiseQuotient(dense.mass(E));
      u(E) += h * v(E);
      // f at the new positions and velocities around
      const Vec around = dense.force(u, v);
      v(I) += factor.solve(h * around(I) - h * h * dense.K(I, I) * v(I)).eval();
      u(I) += h * v(I);
    }
    ASSERT_EQ(run(scene).reason, sim::StopReason::reached_end);
    const dynamics::State& end = scene.simulation->state();
    EXPECT_LT((end.q - dense.rest - u).norm(), 1e-9 * u.norm());
    EXPECT_LT((end.v - v).norm(), 1e-9 * v.norm());
  }
}

TEST(Imex, OfOrderTwoIsVerletAroundTheTrapezoidalRule) {
  for (const double damping : {0.0, 1e-5}) {
    const double h = 1e-3;
    scene::CompiledScene scene = graded_bar("linear", "imex", h, 50 * h, damping, 0.95, 2);
    const Dense dense(scene);
    const auto [E, I] = partition_of(scene, h, 0.95);
    ASSERT_GT(E.size(), 30U);
    ASSERT_GT(I.size(), 30U);
    const Mat S =
        Mat(dense.mass(I).asDiagonal()) + 0.5 * h * dense.D(I, I) + 0.25 * h * h * dense.K(I, I);
    const Eigen::LDLT<Mat> factor(S);
    Vec u = Vec::Zero(dense.rest.size()), v = u;
    for (int step = 0; step < 50; ++step) {
      const Vec f = dense.force(u, v), v0 = v;
      const Vec half = v0(E) + 0.5 * h * f(E).cwiseQuotient(dense.mass(E));
      u(E) += h * half;
      v(E) = 2.0 * half - v0(E);
      const Vec around = dense.force(u, v);
      const Vec d =
          factor.solve(0.5 * h * (f(I) + around(I)) - 0.5 * h * h * dense.K(I, I) * v0(I));
      u(I) += h * v0(I) + 0.5 * h * d;
      v(I) += d;
      for (int pass = 0; pass < (damping > 0.0 ? 2 : 1); ++pass) {
        const Vec end = dense.force(u, v);
        v(E) = half + 0.5 * h * end(E).cwiseQuotient(dense.mass(E));
      }
    }
    ASSERT_EQ(run(scene).reason, sim::StopReason::reached_end);
    const dynamics::State& end = scene.simulation->state();
    EXPECT_LT((end.q - dense.rest - u).norm(), 1e-9 * u.norm());
    EXPECT_LT((end.v - v).norm(), 1e-9 * v.norm());
  }
}

TEST(Imex, HasTheOrderThatIsAskedFor) {
  // a share of the limit that goes with the step: the same parts at every step
  constexpr double end = 0.0256;
  for (const double damping : {0.0, 2e-6}) {
    scene::CompiledScene exact = graded_bar("stvk", "rk4", 1e-5, end, damping);
    ASSERT_EQ(run(exact).reason, sim::StopReason::reached_end);
    for (const int order : {1, 2}) {
      std::vector<double> errors;
      for (const double h : {2e-4, 1e-4, 5e-5}) {
        const double safety = h / 1e-3;
        scene::CompiledScene scene = graded_bar("stvk", "imex", h, end, damping, safety, order);
        const auto [E, I] = partition_of(scene, h, safety);
        EXPECT_GT(E.size(), 30U) << h;
        EXPECT_GT(I.size(), 30U) << h;
        ASSERT_EQ(run(scene).reason, sim::StopReason::reached_end);
        errors.push_back((scene.simulation->state().q - exact.simulation->state().q).norm());
      }
      const double found = 0.5 * std::log2(errors[0] / errors[2]);
      EXPECT_NEAR(found, order, 0.1) << errors[0] << " " << errors[1] << " " << errors[2];
    }
  }
}

TEST(Imex, IsStableUpToTheLimitOfItsExplicitPart) {
  // at a step that everything explicit does not survive
  const double h = 1.5e-3;
  double largest = 0.0;
  const auto look = [&](const sim::FrameView& view) {
    largest = std::max(largest, view.state.v.lpNorm<Eigen::Infinity>());
  };
  scene::CompiledScene mixed = graded_bar("corotated", "imex", h, 10000 * h, 0.0, 1.0);
  const auto [E, I] = partition_of(mixed, h, 1.0);
  ASSERT_GT(E.size(), 30U);
  ASSERT_GT(I.size(), 30U);
  EXPECT_EQ(run(mixed, look).reason, sim::StopReason::reached_end);
  EXPECT_LT(largest, 20.0);
  scene::CompiledScene all = graded_bar("corotated", "symplectic-euler", h, 1000 * h);
  EXPECT_NE(run(all).reason, sim::StopReason::reached_end);
}

TEST(Imex, StaysBoundedOverAHundredThousandStepsAtTheLimitOfItsParts) {
  const auto bar = [](const char* integrator, double h) {
    return compile_text(fmt::format(
        R"("bodies": [ {{ "mesh": {{ "generator": "bar", "size": [0.6, 0.1, 0.1], "cells": [6, 1, 1] }},
              "material": {{ "model": "linear", "young": "x < 0.4 ? 1e5 : 1e7", "density": 1000 }} }} ],
           "fixed": [ {{ "select": {{ "plane": {{ "normal": [1, 0, 0] }} }} }} ],
           "loads": [ {{ "type": "gravity" }} ],
           "integrator": {{ "name": "{}" }}, "time": {{ "dt": {}, "end": 1 }})",
        integrator, h));
  };
  scene::CompiledScene scene = bar("imex", 1e-3);
  const Dense dense(scene);
  std::vector<Index> all(static_cast<std::size_t>(dense.mass.size()));
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<Index>(i);
  const double limit = 2.0 / std::sqrt(dense.largest(dense.K, all));
  const auto fastest = [&](const char* method, double h, int steps) {
    integrators::Options options(integrators::find_integrator(method)->options);
    if (std::string(method) == "imex") options.set("safety", 1.0);
    const auto made = integrators::make_integrator(*integrators::find_integrator(method), options,
                                                   integrators::default_services());
    const auto workspace = scene.system().make_workspace();
    dynamics::State state = scene.simulation->state();
    double most = 0.0;
    for (int k = 0; k < steps && most < 1e6; ++k) {
      if (made->step(scene.system(), *workspace, h, state).status !=
          integrators::StepStatus::accepted)
        return std::numeric_limits<double>::infinity();
      most = std::max(most, state.v.lpNorm<Eigen::Infinity>());
    }
    return most;
  };
  // the step at which the parts are just stable: the limit of the explicit ones alone
  const double h = 5.0 * limit;
  const auto [E, I] = partition_of(scene, h, 1.0);
  ASSERT_GT(E.size(), 10U);
  ASSERT_GT(I.size(), 10U);
  EXPECT_LT(h, 2.0 / std::sqrt(dense.largest(dense.K, E)));
  EXPECT_LT(fastest("imex", h, 100000), 20.0);
  EXPECT_LT(fastest("symplectic-euler", 0.99 * limit, 100000), 20.0);
  EXPECT_GT(fastest("symplectic-euler", 1.2 * limit, 2000), 1e6);
}

TEST(Imex, HasBothEnds) {
  // small steps: symplectic Euler; large ones: si
  const auto end_of = [](const char* method, double h) {
    scene::CompiledScene scene = graded_bar("corotated", method, h, 40 * h);
    EXPECT_EQ(run(scene).reason, sim::StopReason::reached_end);
    return scene.simulation->state();
  };
  for (const auto& [h, same] : {std::pair(5e-5, "symplectic-euler"), std::pair(0.01, "si")}) {
    const dynamics::State one = end_of("imex", h), other = end_of(same, h);
    EXPECT_LT((one.q - other.q).norm(), 1e-12 * other.q.norm()) << same;
    EXPECT_LT((one.v - other.v).norm(), 1e-10 * other.v.norm()) << same;
  }
}

TEST(Imex, KeepsMomentumToFirstOrder) {
  const auto drift = [](double h) {
    scene::CompiledScene scene = compile_text(fmt::format(
        R"("bodies": [ {{ "mesh": {{ "generator": "bar", "size": [0.6, 0.1, 0.1], "cells": [12, 2, 2] }},
              "material": {{ "model": "linear", "young": "x < 0.4 ? 1e5 : 1e7", "density": 1000 }},
              "velocity": ["0.1*sin(12*x) + 0.1", "0.1*cos(9*x) + 0.1", "0"] }} ],
           "integrator": {{ "name": "imex" }}, "time": {{ "dt": {}, "end": 0.02 }})",
        h));
    const dynamics::Partition split = partition_of(scene, h, 0.95);
    EXPECT_FALSE(split.explicit_dofs.empty());
    EXPECT_FALSE(split.implicit_dofs.empty());
    const auto momentum = [&] {
      return scene.system().accounts().momentum(scene.simulation->state())->linear;
    };
    const Vec3 before = momentum();
    EXPECT_EQ(run(scene).reason, sim::StopReason::reached_end);
    return (momentum() - before).norm() / before.norm();
  };
  const double coarse = drift(4e-4), fine = drift(2e-4);
  EXPECT_GT(coarse, 1e-6);  // the claim is modest, not empty
  EXPECT_GT(coarse / fine, 1.5);
  EXPECT_LT(coarse, 0.05);
}

TEST(Imex, IsImplicitAsAWholeWhereNothingCanBeTakenApart) {
  // with a consistent mass: si, or the trapezoidal rule linearised once
  for (const int order : {1, 2}) {
    std::vector<double> errors;
    for (const double h : {4e-4, 2e-4, 1e-4}) {
      const auto end_of = [&](const std::string& integrator, double dt) {
        scene::CompiledScene scene = compile_text(fmt::format(
            R"("bodies": [ {{ "mesh": {{ "generator": "bar", "size": [0.6, 0.1, 0.1], "cells": [6, 1, 1] }},
                  "mass": "consistent", "material": {{ "model": "stvk", "young": 1e5, "density": 1000 }} }} ],
               "fixed": [ {{ "select": {{ "plane": {{ "normal": [1, 0, 0] }} }} }} ],
               "loads": [ {{ "type": "gravity" }} ],
               "integrator": {{ {} }}, "time": {{ "dt": {}, "end": 0.02 }})",
            integrator, dt));
        EXPECT_EQ(run(scene).reason, sim::StopReason::reached_end);
        return scene.simulation->state();
      };
      const dynamics::State state = end_of(fmt::format(R"("name": "imex", "order": {})", order), h);
      if (order == 1) {
        EXPECT_LT((state.q - end_of(R"("name": "si")", h).q).norm(), 1e-9 * state.q.norm());
      }
      errors.push_back(
          (state.q - end_of(R"("name": "tr-bdf2", "tolerance": 1e-12)", 2e-5).q).norm());
    }
    EXPECT_NEAR(0.5 * std::log2(errors[0] / errors[2]), order, 0.15);
  }
}

TEST(Imex, FailsWhereNothingIsFinite) {
  const scene::CompiledScene scene = graded_bar("linear", "imex", 1e-3, 0.01);
  const auto method = integrators::make_integrator("imex");
  const auto workspace = scene.system().make_workspace();
  dynamics::State state = scene.simulation->state();
  state.q[7] = std::numeric_limits<double>::quiet_NaN();

  EXPECT_NE(method->step(scene.system(), *workspace, 1e-3, state).status,
            integrators::StepStatus::accepted);
}

TEST(Imex, GoesOnFromItsMemoryBitForBit) {
  scene::CompiledScene scene = graded_bar("corotated", "imex", 1e-3, 1.0);
  const auto workspace = scene.system().make_workspace();
  const auto method = integrators::make_integrator("imex");
  dynamics::State state = scene.simulation->state();
  const auto advance = [&](integrators::Integrator& by, dynamics::State& from) {
    for (int k = 0; k < 20; ++k)
      ASSERT_EQ(by.step(scene.system(), *workspace, 1e-3, from).status,
                integrators::StepStatus::accepted);
  };
  advance(*method, state);
  const auto other = integrators::make_integrator("imex");
  other->restore(method->memory());
  dynamics::State again = state;
  advance(*method, state);
  advance(*other, again);
  EXPECT_TRUE(state == again);
}

}  // namespace
}  // namespace sinew::test
