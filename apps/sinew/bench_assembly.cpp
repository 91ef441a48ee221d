// SPDX-License-Identifier: Apache-2.0
#include <Eigen/LU>
#include <Eigen/Sparse>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <sinew/mesh/generators.hpp>
#include <sinew/physics/elastic_system.hpp>

#include "bench.hpp"

namespace sinew::cli {
namespace {

physics::ElasticSystemSpec bar(const physics::MaterialEntry& material) {
  physics::SolidBody body;
  body.name = "bar";
  body.mesh = mesh::make_bar({.size = {4.0, 1.0, 1.0}, .cells = {120, 13, 13}});
  body.tets.assign(body.mesh.tets.size(),
                   {.material = &material, .lame = physics::lame(1e6, 0.45)});
  physics::ElasticSystemSpec spec;
  for (int v = 0; v < body.mesh.num_vertices(); ++v)
    if (body.mesh.vertices[v][0] < 1e-9) spec.fixed.push_back(v);
  spec.bodies.push_back(std::move(body));
  return spec;
}

/// How one would write it first: an element at a time with Eigen, triplets, setFromTriplets.
class PlainAssembly {
 public:
  PlainAssembly(const physics::SolidBody& body, const physics::MaterialEntry& material)
      : body_(body), material_(material) {
    for (const mesh::Tet& tet : body.mesh.tets) {
      Mat3 Dm;
      for (int k = 0; k < 3; ++k)
        Dm.col(k) = body.mesh.vertices[tet[k + 1]] - body.mesh.vertices[tet[0]];
      const Mat3 inverse = Dm.inverse();
      Eigen::Matrix<double, 4, 3> gradients;
      gradients.bottomRows<3>() = inverse;
      gradients.row(0) = -inverse.colwise().sum();
      gradients_.push_back(gradients);
      volumes_.push_back(std::abs(Dm.determinant()) / 6.0);
    }
  }

  void run(const std::vector<Vec3>& x) {
    const physics::Parameters parameters = material_.parameters(body_.tets[0].lame);
    f_.setZero(3 * body_.mesh.num_vertices());
    triplets_.clear();
    for (std::size_t t = 0; t < body_.mesh.tets.size(); ++t) {
      const mesh::Tet& tet = body_.mesh.tets[t];
      const auto& gradients = gradients_[t];
      Mat3 F = Mat3::Zero();
      for (int k = 0; k < 4; ++k) F += x[tet[k]] * gradients.row(k);
      const Mat3 P = material_.first_piola(parameters, F);
      const physics::Mat9 H = material_.hessian(parameters, F);
      Eigen::Matrix<double, 9, 12> dF = Eigen::Matrix<double, 9, 12>::Zero();
      for (int k = 0; k < 4; ++k)
        for (int j = 0; j < 3; ++j)
          for (int i = 0; i < 3; ++i) dF(3 * j + i, 3 * k + i) = gradients(k, j);
      const Eigen::Matrix<double, 12, 12> K = volumes_[t] * dF.transpose() * H * dF;
      for (int k = 0; k < 4; ++k) {
        f_.segment<3>(3 * tet[k]) -= volumes_[t] * P * gradients.row(k).transpose();
        for (int l = 0; l < 4; ++l)
          for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
              triplets_.emplace_back(3 * tet[k] + i, 3 * tet[l] + j, K(3 * k + i, 3 * l + j));
      }
    }
    K_.resize(f_.size(), f_.size());
    K_.setFromTriplets(triplets_.begin(), triplets_.end());
  }

 private:
  const physics::SolidBody& body_;
  const physics::MaterialEntry& material_;
  std::vector<Eigen::Matrix<double, 4, 3>> gradients_;
  std::vector<double> volumes_;
  Vec f_;
  std::vector<Eigen::Triplet<double>> triplets_;
  Eigen::SparseMatrix<double> K_;
};

/// One system on a given number of threads, slightly deformed.
struct Subject {
  Subject(const physics::ElasticSystemSpec& spec, int threads)
      : executor(threads),
        system(spec, executor),
        workspace(system.make_workspace()),
        linearization(system.make_linearization()),
        state(system.rest_state()) {
    for (Index i = 0; i < state.q.size(); ++i) state.q[i] *= 1.0 + 1e-3 * std::sin(0.1 * double(i));
  }

  void force_and_tangent() { system.linearize(state, {}, *workspace, *linearization, &f); }
  void force() { system.force(state, *workspace, f); }

  core::Executor executor;
  physics::ElasticSystem system;
  std::unique_ptr<dynamics::Workspace> workspace;
  std::unique_ptr<dynamics::Linearization> linearization;
  dynamics::State state;
  Vec f;
};

}  // namespace

nlohmann::ordered_json bench_assembly() {
  nlohmann::ordered_json result;
  constexpr int rounds = 15;
  for (const physics::MaterialEntry& material : physics::materials()) {
    const physics::ElasticSystemSpec spec = bar(material);
    Subject one(spec, 1), two(spec, 2);
    PlainAssembly plain(spec.bodies[0], material);
    const std::vector<Timing> timings =
        race({{"force + tangent, 1 thread", [&] { one.force_and_tangent(); }},
              {"force + tangent, 2 threads", [&] { two.force_and_tangent(); }},
              {"force alone, 1 thread", [&] { one.force(); }},
              {"plain Eigen loop with triplets, 1 thread",
               [&] { plain.run(spec.bodies[0].mesh.vertices); }}},
             rounds);
    result["title"] = fmt::format("assembly of {} tets; ratio to force + tangent on 1 thread",
                                  one.system.num_tets());
    result["tets"] = one.system.num_tets();
    for (const Timing& timing : timings)
      result["rows"].push_back({{"name", fmt::format("{}: {}", material.name, timing.name)},
                                {"seconds", timing.median_seconds},
                                {"ratio", timing.ratio}});
  }
  return result;
}

}  // namespace sinew::cli
