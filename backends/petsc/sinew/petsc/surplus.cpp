// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <variant>

#include <sinew/petsc/surplus.hpp>

namespace sinew::petsc {
namespace {

/// Some of the vertices of a part, and how they are counted among themselves.
class Subset {
 public:
  explicit Subset(std::size_t all) : place_(all, -1) {}

  void add(int vertex) { place_[static_cast<std::size_t>(vertex)] = 0; }
  void close() {
    for (std::size_t v = 0; v < place_.size(); ++v)
      if (place_[v] >= 0) {
        place_[v] = static_cast<int>(vertices_.size());
        vertices_.push_back(static_cast<int>(v));
      }
  }
  bool has(int vertex) const { return place_[static_cast<std::size_t>(vertex)] >= 0; }
  int operator()(int vertex) const { return place_[static_cast<std::size_t>(vertex)]; }
  const std::vector<int>& vertices() const { return vertices_; }

 private:
  std::vector<int> place_, vertices_;
};

template <class Use>
void for_each_corner(physics::LoadedFaces& faces, const Use& use) {
  std::visit(
      [&](auto& list) {
        for (auto& face : list)
          for (int& vertex : face) use(vertex);
      },
      faces);
}

class SurplusMaker {
 public:
  SurplusMaker(const physics::BodiesSpec& spec, const PartNumbers& numbers, int rank)
      : spec_(spec), numbers_(numbers), rank_(rank), kept_(numbers.vertices.size()) {
    surplus_.gravity = spec.gravity;
    add_faces();
    choose_vertices();
    renumber_faces();
    add_bodies();
    add_prescribed();
    add_forces();
  }

  const physics::BodiesSpec& spec() const { return surplus_; }
  const std::vector<int>& vertices() const { return kept_.vertices(); }

 private:
  bool owns(int vertex) const { return numbers_.owners[static_cast<std::size_t>(vertex)] == rank_; }

  /// Faces count where their first vertex is owned.
  physics::LoadedFaces surplus_of(const physics::LoadedFaces& faces) const {
    return std::visit(
        [&](auto list) -> physics::LoadedFaces {
          std::erase_if(list, [&](const auto& face) {
            return owns(*std::min_element(face.begin(), face.end()));
          });
          return list;
        },
        faces);
  }

  void add_faces() {
    for (const physics::PressureLoad& load : spec_.pressures)
      surplus_.pressures.push_back({surplus_of(load.faces), load.pressure, load.window});
    for (const physics::WindLoad& load : spec_.winds) {
      surplus_.winds.push_back(load);
      surplus_.winds.back().faces = surplus_of(load.faces);
    }
  }

  template <class Use>
  void for_each_face_corner(const Use& use) {
    for (physics::PressureLoad& load : surplus_.pressures) for_each_corner(load.faces, use);
    for (physics::WindLoad& load : surplus_.winds) for_each_corner(load.faces, use);
  }

  /// Those of surplus tets and faces, and all that others own.
  void choose_vertices() {
    std::size_t cell = 0;
    int first = 0;
    for (const physics::Body& body : spec_.bodies) {
      for (std::size_t t = 0; t < body.mesh.tets.size(); ++t, ++cell) {
        if (numbers_.counts[cell]) continue;
        for (const int v : body.mesh.tets[t]) kept_.add(first + v);
        if (body.mesh.is_quadratic())
          for (const int v : body.mesh.middles[t]) kept_.add(first + v);
      }
      first += body.mesh.num_vertices();
    }
    for (std::size_t v = 0; v < numbers_.owners.size(); ++v)
      if (!owns(static_cast<int>(v))) kept_.add(static_cast<int>(v));
    for_each_face_corner([&](int& vertex) { kept_.add(vertex); });
    kept_.close();
  }

  void renumber_faces() {
    for_each_face_corner([&](int& vertex) { vertex = kept_(vertex); });
  }

  void add_bodies() {
    std::size_t cell = 0;
    int first = 0, first_kept = 0;
    for (const physics::Body& body : spec_.bodies) {
      physics::Body rest;
      rest.name = body.name;
      for (int v = 0; v < body.mesh.num_vertices(); ++v)
        if (kept_.has(first + v))
          rest.mesh.vertices.push_back(body.mesh.vertices[static_cast<std::size_t>(v)]);
      const auto renumbered = [&](auto nodes) {
        for (int& v : nodes) v = kept_(first + v) - first_kept;
        return nodes;
      };
      for (std::size_t t = 0; t < body.mesh.tets.size(); ++t, ++cell) {
        if (numbers_.counts[cell]) continue;
        rest.mesh.tets.push_back(renumbered(body.mesh.tets[t]));
        rest.mesh.regions.push_back(body.mesh.regions[t]);
        rest.tets.push_back(body.tets[t]);
        if (body.mesh.is_quadratic()) rest.mesh.middles.push_back(renumbered(body.mesh.middles[t]));
      }
      first += body.mesh.num_vertices();
      first_kept += rest.mesh.num_vertices();
      surplus_.bodies.push_back(std::move(rest));
    }
  }

  void add_prescribed() {
    for (const int vertex : spec_.fixed)
      if (kept_.has(vertex)) surplus_.fixed.push_back(kept_(vertex));
    for (const physics::MovedVertices& group : spec_.moved) {
      physics::MovedVertices some{.vertices = {}, .motion = group.motion};
      for (const int vertex : group.vertices)
        if (kept_.has(vertex)) some.vertices.push_back(kept_(vertex));
      surplus_.moved.push_back(std::move(some));
    }
  }

  /// Loads on vertices count where these are owned.
  void add_forces() {
    for (const physics::VertexLoad& load : spec_.forces) {
      physics::VertexLoad some = load;
      some.shares = physics::LoadShares::given;
      some.vertices.clear();
      some.factors.clear();
      for (std::size_t k = 0; k < load.vertices.size(); ++k) {
        if (owns(load.vertices[k])) continue;
        some.vertices.push_back(kept_(load.vertices[k]));
        some.factors.push_back(load.factors[k]);
      }
      surplus_.forces.push_back(std::move(some));
    }
  }

  const physics::BodiesSpec& spec_;
  const PartNumbers& numbers_;
  int rank_;
  Subset kept_;
  physics::BodiesSpec surplus_;
};

}  // namespace

Surplus make_surplus(const physics::BodiesSpec& spec, const PartNumbers& numbers, int rank,
                     const core::Executor& executor) {
  const SurplusMaker maker(spec, numbers, rank);
  return {std::make_unique<physics::TermSystem>(physics::to_terms(maker.spec()), executor),
          maker.vertices()};
}

}  // namespace sinew::petsc
