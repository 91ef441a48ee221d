// SPDX-License-Identifier: Apache-2.0
// Laws of contact and friction, and the derivatives of energies of pairs, against differences.
#include <random>

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include <sinew/physics/contact/friction_law.hpp>
#include <sinew/physics/contact/pair_energy.hpp>

namespace sinew::physics {
namespace {

using dynamics::Definiteness;
using geometry::Closest;
using geometry::Corners;
using geometry::Feature;

constexpr std::array all_forms{ContactForm::barrier, ContactForm::penalty, ContactForm::spring};
constexpr std::array all_features{Feature::point_point, Feature::point_edge,
                                  Feature::point_triangle, Feature::edge_edge,
                                  Feature::point_plane};

TEST(ContactLaw, HasTheDerivativesItSays) {
  for (const ContactForm form : all_forms) {
    const ContactLaw law{.form = form, .stiffness = 300.0, .distance = 0.02};
    for (const double gap : {1e-5, 1e-3, 0.007, 0.0199, -0.001, -0.03}) {
      if (form == ContactForm::barrier && gap < 0.0) continue;
      const double h = 1e-6 * std::abs(gap);
      const GapEnergy at = law.at(gap), above = law.at(gap + h), below = law.at(gap - h);
      EXPECT_NEAR((above.energy - below.energy) / (2.0 * h), at.slope, 1e-6 * std::abs(at.slope));
      EXPECT_NEAR((above.slope - below.slope) / (2.0 * h), at.curvature, 1e-6 * at.curvature);
    }
  }
}

TEST(ContactLaw, BeginsAndGoesOnSmoothly) {
  const ContactLaw barrier{ContactForm::barrier, 300.0, 0.02},
      penalty{ContactForm::penalty, 300.0, 0.02};
  for (const ContactLaw& law : {barrier, penalty}) {
    EXPECT_EQ(law.at(0.02).energy, 0.0);
    EXPECT_EQ(law.at(0.03).slope, 0.0);
    EXPECT_LE(law.at(0.02 * (1.0 - 1e-9)).curvature, 1e-6 * 300.0);
  }
  const GapEnergy outside = penalty.at(1e-12), inside = penalty.at(-1e-12);
  EXPECT_NEAR(outside.energy, inside.energy, 1e-9 * inside.energy);
  EXPECT_NEAR(outside.slope, inside.slope, -1e-9 * inside.slope);
  EXPECT_NEAR(outside.curvature, inside.curvature, 1e-9 * inside.curvature);
  EXPECT_EQ(barrier.at(0.0).energy, std::numeric_limits<double>::infinity());
}

TEST(FrictionLaw, IsTheSlopeOfItsPotential) {
  const FrictionLaw law{.sticking = 0.6, .sliding = 0.4, .slip = 1e-3};
  for (const double speed : {1e-5, 4e-4, 9.9e-4, 1.01e-3, 5e-3, 9.9e-3, 1.01e-2, 0.3}) {
    const double h = 1e-6 * speed;
    EXPECT_NEAR((law.at(speed + h).potential - law.at(speed - h).potential) / (2.0 * h),
                law.at(speed).force, 1e-7);
    EXPECT_NEAR((law.at(speed + h).force - law.at(speed - h).force) / (2.0 * h),
                law.at(speed).slope, 1e-5 / 1e-3);
    EXPECT_DOUBLE_EQ(law.per_speed(speed) * speed, law.at(speed).force);
  }
  EXPECT_EQ(law.at(1e-3).force, 0.6);
  EXPECT_EQ(law.at(1.0).force, 0.4);
  EXPECT_EQ(law.at(0.0).force, 0.0);
  EXPECT_NEAR(law.per_speed(1e-9), law.per_speed(0.0), 1e-3 * law.per_speed(0.0));
}

/// A pair whose gap has an energy.
struct Pair {
  Feature feature;
  ContactLaw law;
  double fading_limit = 0.0;  ///< of edges; 0: none

  GapEnergy value(const Corners& x) const { return law.at(geometry::closest(feature, x).distance); }
  double energy(const Corners& x) const {
    const EdgeFading fading(x, fading_limit);
    return (fading_limit > 0.0 && fading.is_active() ? fading.factor() : 1.0) * value(x).energy;
  }
  PairGradient gradient(const Corners& x) const {
    const Closest closest = geometry::closest(feature, x);
    const EdgeFading fading(x, fading_limit);
    return fading_limit > 0.0 && fading.is_active() ? faded_gradient(fading, closest, value(x))
                                                    : pair_gradient(closest, value(x).slope);
  }
  bool hessian(const Corners& x, Definiteness definiteness, PairHessian& H) const {
    const Closest closest = geometry::closest(feature, x);
    const GapEnergy W = value(x);
    const EdgeFading fading(x, fading_limit);
    return fading_limit > 0.0 && fading.is_active()
               ? faded_hessian(fading, closest, W, definiteness, H)
               : pair_hessian(closest, W.slope, W.curvature, definiteness, H);
  }
};

/// Of a pair, central, by each coordinate of each corner.
template <class Function>
auto difference(const Corners& x, int k, double h, const Function& f) {
  Corners above = x, below = x;
  above(k % 3, k / 3) += h;
  below(k % 3, k / 3) -= h;
  return ((f(above) - f(below)) / (2.0 * h));
}

void expect_derivatives(const Pair& pair, const Corners& x, double h) {
  const PairGradient g = pair.gradient(x);
  PairHessian H;
  EXPECT_FALSE(pair.hessian(x, Definiteness::exact, H));
  PairGradient slopes;
  PairHessian curvatures;
  for (int k = 0; k < 12; ++k) {
    slopes[k] = difference(x, k, h, [&](const Corners& y) { return pair.energy(y); });
    curvatures.col(k) =
        difference(x, k, h, [&](const Corners& y) { return PairGradient(pair.gradient(y)); });
  }
  EXPECT_LE((g - slopes).norm(), 1e-6 * g.norm());
  EXPECT_LE((H - curvatures).norm(), 1e-5 * H.norm());
}

void expect_definite(const Pair& pair, const Corners& x) {
  PairHessian exact, clamped;
  pair.hessian(x, Definiteness::exact, exact);
  const bool is_changed = pair.hessian(x, Definiteness::psd_clamp, clamped);
  const Eigen::SelfAdjointEigenSolver<PairHessian> eigen(exact);
  const PairHessian wanted = eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0.0).asDiagonal() *
                             eigen.eigenvectors().transpose();
  EXPECT_LE((clamped - wanted).norm(), 1e-10 * exact.norm());
  EXPECT_EQ(is_changed, eigen.eigenvalues()[0] < -1e-12 * exact.norm());
}

/// Corners around the origin, with the first feature moved until the distance is what is wanted.
Corners corners_at(std::mt19937& random, Feature feature, double distance) {
  std::normal_distribution<double> normal;
  Corners x;
  for (double& value : x.reshaped()) value = normal(random);
  const Closest closest = geometry::closest(feature, x);
  const int first = feature == Feature::edge_edge ? 2 : 1;
  for (int k = 0; k < first; ++k) x.col(k) += (distance - closest.distance) * closest.normal;
  return x;
}

TEST(PairEnergy, DerivativesOfEveryFeatureAndForm) {
  std::mt19937 random(5);
  std::map<std::pair<Feature, int>, int> seen;
  for (const Feature feature : all_features)
    for (const ContactForm form : all_forms)
      for (int k = 0; k < 60; ++k) {
        const double distance = 0.01 + 0.1 * (k % 5);
        const Corners x = corners_at(random, feature, distance);
        const Closest closest = geometry::closest(feature, x);
        // the kind of the shortest way changes nearby, and with it second derivatives
        const double edge_of_kind =
            (closest.weights.array() != 0.0).select(closest.weights.array().abs(), 1.0).minCoeff();
        if (edge_of_kind < 1e-2) continue;
        const Pair pair{feature, {form, 200.0, 0.8}};
        expect_derivatives(pair, x, 1e-6 * distance);
        expect_definite(pair, x);
        ++seen[{feature, closest.num_free}];
      }
  for (const auto& [feature, free] : {std::pair{Feature::point_point, 0},
                                      {Feature::point_edge, 0},
                                      {Feature::point_edge, 1},
                                      {Feature::point_triangle, 0},
                                      {Feature::point_triangle, 1},
                                      {Feature::point_triangle, 2},
                                      {Feature::edge_edge, 0},
                                      {Feature::edge_edge, 1},
                                      {Feature::edge_edge, 2},
                                      {Feature::point_plane, 2}})
    EXPECT_GT((seen[{feature, free}]), 3) << static_cast<int>(feature) << " " << free;
}

TEST(PairEnergy, OfThinTrianglesAndNearlyParallelEdges) {
  std::mt19937 random(6);
  std::normal_distribution<double> normal;
  for (int k = 0; k < 50; ++k) {
    // a triangle of the height 1e-3, the point above its middle
    Corners thin;
    thin.col(1) = Vec3(0, 0, 0);
    thin.col(2) = Vec3(1, 0, 0);
    thin.col(3) = Vec3(0.5, 1e-3, 0);
    thin.col(0) = Vec3(0.5, 3e-4, 0.05 + 0.01 * normal(random));
    expect_derivatives({Feature::point_triangle, {ContactForm::barrier, 10.0, 0.2}}, thin, 1e-8);
    // edges at a small angle: the limit of the fading is 1e-3
    const double angle = 0.005 + 0.002 * (k % 10);
    Corners edges;
    edges.col(0) = Vec3(-0.5, 0.01 * normal(random), 0.05);
    edges.col(1) = Vec3(0.5, 0.01 * normal(random), 0.05);
    edges.col(2) = Vec3(-0.5 * std::cos(angle), -0.5 * std::sin(angle), 0);
    edges.col(3) = Vec3(0.6 * std::cos(angle), 0.6 * std::sin(angle), 0);
    const Pair pair{Feature::edge_edge, {ContactForm::barrier, 10.0, 0.2}, 1e-3};
    const Closest closest = geometry::closest(pair.feature, edges);
    if (closest.weights.cwiseAbs().minCoeff() < 0.05 && closest.num_free == 2) continue;
    if (closest.num_free < 2) continue;
    expect_derivatives(pair, edges, 1e-8);
    expect_definite(pair, edges);
  }
}

TEST(PairEnergy, ParallelEdgesHaveNoneAndItFadesSmoothly) {
  Corners x;
  x << -0.5, 0.5, -0.5, 0.5, 0, 0, 0, 0, 0.05, 0.05, 0, 0;
  const Pair pair{Feature::edge_edge, {ContactForm::barrier, 10.0, 0.2}, 1e-3};
  EXPECT_EQ(pair.energy(x), 0.0);
  EXPECT_TRUE(pair.gradient(x).isZero(0.0));
  PairHessian H;
  pair.hessian(x, Definiteness::psd_clamp, H);
  EXPECT_TRUE(H.allFinite());
}

TEST(PairEnergy, PlanesKnowWhatIsBehindThem) {
  std::mt19937 random(7);
  const Pair pair{Feature::point_plane, {ContactForm::penalty, 50.0, 0.1}};
  for (int k = 0; k < 50; ++k) {
    Corners x = corners_at(random, Feature::point_plane, -0.01 * (k + 1));
    EXPECT_LT(geometry::closest(Feature::point_plane, x).distance, 0.0);
    expect_derivatives(pair, x, 1e-6);
    expect_definite(pair, x);
  }
}

}  // namespace
}  // namespace sinew::physics
