// SPDX-License-Identifier: Apache-2.0
// What every term must do, whatever it is.
#include <random>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <support/term_table.hpp>

namespace sinew::test {
namespace {

using dynamics::Definiteness;
using dynamics::State;
using physics::TermForce;
using physics::TermSystem;
using physics::TermTraits;

const std::vector<TermRow>& table() {
  static const std::vector<TermRow> rows = every_term();
  return rows;
}

class EveryTerm : public testing::TestWithParam<std::size_t> {
 protected:
  EveryTerm()
      : system(table()[GetParam()].spec),
        workspace(system.make_workspace()),
        state(deformed_state(system)) {
    state.t = 0.4;
  }

  const physics::Term& term() const { return *system.sum().terms()[0].term; }
  TermTraits traits() const { return term().traits(); }

  Vec force(const State& at) const {
    Vec f(system.num_dofs());
    system.force(at, *workspace, f);
    return f;
  }
  State with_q(const Vec& q) const {
    State other = state;
    other.q = q;
    return other;
  }
  struct Matrices {
    Mat K, D;
  };
  Matrices linearize(const State& at, Definiteness definiteness = Definiteness::exact,
                     Vec* f = nullptr) const {
    const auto out = system.make_linearization();
    system.linearize(at, {.definiteness = definiteness}, *workspace, *out, f);
    const Index n = system.num_dofs();
    const auto dense = [&](const la::LinearOperator* A) {
      return A ? A->assembled()->to_dense() : Mat(Mat::Zero(n, n));
    };
    return {dense(&out->stiffness()), dense(out->damping())};
  }

  TermSystem system;
  std::unique_ptr<dynamics::Workspace> workspace;
  State state;
};

Mat symmetric_part(const Mat& A) {
  return 0.5 * (A + A.transpose());
}

TEST_P(EveryTerm, HasTheForceOfItsPotential) {
  if (traits().force != TermForce::potential) GTEST_SKIP() << "no potential";
  const auto energy = [&](const Vec& q) {
    return Vec(Vec::Constant(1, system.potential(with_q(q), *workspace)));
  };
  const Vec gradient = numerical_jacobian(energy, state.q).transpose();
  const Vec f = force(state);
  EXPECT_LE((gradient + f).norm(), 1e-6 * (f.norm() + 1e-3));
}

TEST_P(EveryTerm, HasTheTangentOfItsForce) {
  if (!traits().has_exact_stiffness) GTEST_SKIP() << "says that its stiffness is not exact";
  const Mat K = -numerical_jacobian([&](const Vec& q) { return force(with_q(q)); }, state.q);
  EXPECT_LE((linearize(state).K - symmetric_part(K)).norm(), 2e-6 * (K.norm() + 1e-3));
}

TEST_P(EveryTerm, HasTheDampingOfItsForce) {
  const auto force_at = [&](const Vec& v) {
    State other = state;
    other.v = v;
    return force(other);
  };
  const Mat D = -numerical_jacobian(force_at, state.v, 1e-5);
  EXPECT_LE((linearize(state).D - symmetric_part(D)).norm(), 1e-6 * (D.norm() + 1e-3));
  if (!traits().uses_velocity) {
    EXPECT_TRUE(D.isZero(0.0));
  }
}

TEST_P(EveryTerm, GivesTheSameForceWithItsTangent) {
  Vec f;
  static_cast<void>(linearize(state, Definiteness::exact, &f));
  EXPECT_LE((f - force(state)).norm(), 1e-13 * f.norm());
}

TEST_P(EveryTerm, IsDefiniteWhereThatIsAskedFor) {
  if (!traits().can_project) GTEST_SKIP() << "says that it cannot";
  // far from rest, where curvature is negative
  const State bent = deformed_state(system, 0.3);
  const Mat K = linearize(bent, Definiteness::psd_clamp).K;
  const Vec values = Eigen::SelfAdjointEigenSolver<Mat>(K).eigenvalues();
  EXPECT_GE(values.minCoeff(), -1e-9 * (values.maxCoeff() + 1e-9));
}

TEST_P(EveryTerm, ChangesWithTimeOnlyIfItSaysSo) {
  State later = state;
  later.t += 0.7;
  EXPECT_EQ(force(later) != force(state), traits().depends_on_time);
}

TEST_P(EveryTerm, KeepsTheMomentumItSaysItKeeps) {
  if (!traits().keeps_linear_momentum) GTEST_SKIP() << "does not say so";
  // all vertices, held ones included: forces between vertices add up to nothing
  const Index n = system.num_vertices();
  Vec f(3 * n), x(3 * n);
  system.observables().evaluate_field("force", state, *workspace, f);
  system.observables().evaluate_field("position", state, *workspace, x);
  Vec3 sum = Vec3::Zero(), torque = Vec3::Zero();
  double size = 0.0;
  for (Index k = 0; k < n; ++k) {
    const Vec3 one = f.segment<3>(3 * k);
    sum += one;
    torque += Vec3(x.segment<3>(3 * k)).cross(one);
    size += one.norm();
  }
  ASSERT_GT(size, 0.0);
  EXPECT_LE(sum.norm(), 1e-12 * size);
  if (traits().keeps_angular_momentum) {
    EXPECT_LE(torque.norm(), 1e-12 * size);
  }
}

TEST_P(EveryTerm, IsTheSameForABodyThatIsElsewhereAndTurned) {
  if (traits().force != TermForce::potential || !traits().keeps_angular_momentum)
    GTEST_SKIP() << "does not say so";
  physics::TermSystemSpec spec = table()[GetParam()].spec;
  spec.fixed.clear();
  const TermSystem free(spec);
  const auto work = free.make_workspace();
  const State before = deformed_state(free);
  State after = before;
  const Mat3 R = Eigen::AngleAxisd(2.3, Vec3(1, -2, 0.5).normalized()).toRotationMatrix();
  for (Index k = 0; k < after.q.size(); k += 3)
    after.q.segment<3>(k) = (R * after.q.segment<3>(k) + Vec3(3, -1, 2)).eval();
  const double energy = free.potential(before, *work);
  EXPECT_NEAR(free.potential(after, *work), energy, 1e-11 * (std::abs(energy) + 1.0));
  Vec f(free.num_dofs()), g(free.num_dofs());
  free.force(before, *work, f);
  free.force(after, *work, g);
  for (Index k = 0; k < f.size(); k += 3) f.segment<3>(k) = (R * f.segment<3>(k)).eval();
  EXPECT_LE((f - g).norm(), 1e-10 * f.norm());
}

TEST_P(EveryTerm, DampingTakesEnergy) {
  if (traits().row.kind != dynamics::LedgerKind::loss_rate) GTEST_SKIP() << "no damping";
  EXPECT_LT(state.v.dot(force(state)), 0.0);
}

TEST_P(EveryTerm, LinearDampingIsLinear) {
  if (traits().force != TermForce::linear_damping) GTEST_SKIP() << "does not say so";
  const Vec f = force(state);
  const Mat D = linearize(state).D;
  EXPECT_LE((f + D * state.v).norm(), 1e-12 * f.norm());
  EXPECT_EQ(linearize(deformed_state(system, 0.2)).D, D);
}

TEST_P(EveryTerm, IsTheSumOfItsParts) {
  const int n = term().num_elements();
  if (n == 0) GTEST_SKIP() << "has no elements to take apart";
  std::mt19937 random(11);
  std::array<std::vector<int>, 2> part;
  for (int e = 0; e < n; ++e) part[random() % 2].push_back(e);
  Vec f = Vec::Zero(system.num_dofs());
  Matrices sum{Mat::Zero(f.size(), f.size()), Mat::Zero(f.size(), f.size())};
  double energy = 0.0;
  for (const std::vector<int>& elements : part) {
    physics::TermSystemSpec spec = table()[GetParam()].spec;
    const physics::TermFactory whole = spec.terms[0];
    spec.terms[0] = [whole, elements](const physics::TermSite& site) {
      auto terms = whole(site);
      terms[0] = terms[0]->restricted_to(elements);
      return terms;
    };
    const TermSystem some(spec);
    const auto work = some.make_workspace();
    const auto out = some.make_linearization();
    Vec g;
    some.linearize(state, {}, *work, *out, &g);
    f += g;
    energy += some.potential(state, *work);
    sum.K += out->stiffness().assembled()->to_dense();
    if (out->damping()) sum.D += out->damping()->assembled()->to_dense();
  }
  const Matrices whole = linearize(state);
  EXPECT_LE((f - force(state)).norm(), 1e-13 * f.norm());
  EXPECT_LE((sum.K - whole.K).norm(), 1e-13 * whole.K.norm());
  EXPECT_LE((sum.D - whole.D).norm(), 1e-13 * whole.D.norm());
  EXPECT_NEAR(energy, system.potential(state, *workspace), 1e-13 * std::abs(energy));
}

std::string row_name(const testing::TestParamInfo<std::size_t>& row) {
  std::string name;
  for (const char c : table()[row.param].name)
    name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Table, EveryTerm, testing::Range<std::size_t>(0, table().size()),
                         row_name);

}  // namespace
}  // namespace sinew::test
