// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include <sinew/core/nearest.hpp>
#include <sinew/core/path_check.hpp>
#include <sinew/mesh/adjacency.hpp>
#include <sinew/mesh/io/csv.hpp>
#include <sinew/physics/pairs/pair_potential.hpp>
#include <sinew/physics/pairs/uff.hpp>
#include <sinew/scene/compile/compile_joints.hpp>

namespace sinew::scene {
namespace {

/// The particles that act, numbered through all bodies, and the species of each.
struct Particles {
  std::vector<int> vertices;
  std::vector<std::string> species;  ///< empty where it is not known
  std::vector<std::array<int, 2>> excluded;
};

class InteractionCompiler {
 public:
  InteractionCompiler(const std::string& directory, physics::BodiesSpec& spec,
                      Diagnostics& diagnostics)
      : directory_(directory), spec_(spec), diagnostics_(diagnostics) {}

  void add(const InteractionSpec& interaction, const std::string& pointer) {
    const Particles particles = gather(interaction, pointer);
    if (particles.vertices.empty()) return;
    if (interaction.type == "table")
      add_table(interaction, particles, pointer);
    else
      add_lennard_jones(interaction, particles, pointer);
  }

 private:
  Particles gather(const InteractionSpec& interaction, const std::string& pointer) {
    Particles particles;
    std::set<std::string> missing(interaction.bodies.begin(), interaction.bodies.end());
    std::vector<std::string> names;
    int offset = 0;
    for (const physics::Body& body : spec_.bodies) {
      const bool is_particles = body.tets.empty();
      if (is_particles) names.push_back(body.name);
      const bool is_named = missing.erase(body.name) > 0;
      if (is_particles && (is_named || interaction.bodies.empty())) {
        for (int v = 0; v < body.mesh.num_vertices(); ++v) {
          particles.vertices.push_back(offset + v);
          particles.species.push_back(body.mesh.species.empty() ? std::string()
                                                                : body.mesh.species[v]);
        }
      } else if (is_named) {
        diagnostics_.error(pointer + "/bodies",
                           fmt::format("'{}' is a solid, and only particles interact", body.name),
                           "name bodies of springs");
      }
      offset += body.mesh.num_vertices();
    }
    exclude(interaction.exclude, particles);
    for (const std::string& name : missing)
      diagnostics_.error(pointer + "/bodies", fmt::format("there is no body '{}'", name),
                         core::suggestion(name, names));
    if (particles.vertices.empty() && missing.empty())
      diagnostics_.error(pointer, "there are no particles that could interact",
                         "add a body of springs");
    return particles;
  }

  /// Pairs up to so many springs apart, also through vertices that are one.
  void exclude(int apart, Particles& particles) const {
    int count = 0;
    std::vector<mesh::Edge> bars;
    for (const physics::Body& body : spec_.bodies) {
      for (const physics::Spring& spring : body.springs)
        bars.push_back({spring.vertices[0] + count, spring.vertices[1] + count});
      count += body.mesh.num_vertices();
    }
    const std::vector<int> own =
        physics::first_of_joined(static_cast<std::size_t>(count), spec_.joined);
    for (mesh::Edge& bar : bars)
      for (int& vertex : bar) vertex = own[static_cast<std::size_t>(vertex)];
    const mesh::Adjacency around(count, bars);
    for (const int vertex : particles.vertices) {
      const int v = own[static_cast<std::size_t>(vertex)];
      std::set<int> seen{v};
      std::vector<int> front{v};
      for (int step = 0; step < apart; ++step) {
        std::vector<int> next;
        for (const int at : front)
          for (const int neighbour : around.of(at))
            if (seen.insert(neighbour).second) next.push_back(neighbour);
        front = std::move(next);
      }
      for (const int other : seen)
        if (other > v) particles.excluded.push_back({v, other});
    }
  }

  /// Constants per species, and the species of each particle as numbers.
  void add_lennard_jones(const InteractionSpec& interaction, const Particles& particles,
                         const std::string& pointer) {
    std::map<std::string, int> number;
    std::vector<physics::LennardJones::Kind> kinds;
    std::vector<int> kind_of_particle;
    for (const std::string& species : particles.species) {
      const auto [at, is_new] = number.emplace(species, static_cast<int>(kinds.size()));
      if (is_new) kinds.push_back(constants_of(species, interaction, pointer));
      kind_of_particle.push_back(at->second);
    }
    double size = 0.0, depth = 0.0;
    for (const physics::LennardJones::Kind& kind : kinds) {
      size = std::max(size, kind.size);
      depth = std::max(depth, kind.depth);
    }
    constexpr double usual_reach = 2.5;
    const auto end = end_of(interaction, usual_reach * size, pointer);
    if (diagnostics_.has_errors()) return;
    add_term(physics::LennardJones(kinds, end), particles, std::move(kind_of_particle),
             depth * static_cast<double>(particles.vertices.size()), interaction);
  }

  physics::LennardJones::Kind constants_of(const std::string& species,
                                           const InteractionSpec& interaction,
                                           const std::string& pointer) {
    for (const SpeciesSpec& own : interaction.species)
      if (own.name == species) return {own.depth, own.size};
    const auto standard = physics::find_uff(species);
    if (!standard && !(interaction.depth && interaction.size))
      diagnostics_.error(pointer,
                         species.empty()
                             ? "particles without a chemical symbol need constants"
                             : fmt::format("there are no constants for the species '{}'", species),
                         "give \"depth\" and \"size\", or an entry of \"species\"");
    return {interaction.depth.value_or(standard ? standard->depth : 0.0),
            interaction.size.value_or(standard ? standard->size : 1.0)};
  }

  void add_table(const InteractionSpec& interaction, const Particles& particles,
                 const std::string& pointer) {
    diagnostics_.collect(pointer + "/file", [&] {
      if (interaction.file.empty())
        throw InputError(
            Problem{.what = "a table needs a file", .hint = "with columns r and energy"});
      core::require_usable_path(interaction.file);
      const std::filesystem::path path = std::filesystem::path(directory_) / interaction.file;
      constexpr std::array<std::string_view, 2> names{"r", "energy"};
      const auto columns = mesh::io::read_csv_columns(path, names);
      const std::vector<double>& r = columns[0];
      const auto refuse = [&](std::string what, std::string hint) {
        throw InputError({.file = path.string(), .what = std::move(what), .hint = std::move(hint)});
      };
      for (const std::vector<double>& column : columns)
        if (!std::all_of(column.begin(), column.end(), [](double x) { return std::isfinite(x); }))
          refuse("a number of the table is not finite", "leave out such rows");
      if (r.size() < 4)
        refuse(fmt::format("there are {} rows, and a spline needs at least 4 rows", r.size()),
               "add more distances");
      if (!std::is_sorted(r.begin(), r.end(), std::less_equal<>()) || r[0] < 0.0)
        refuse("distances must ascend from 0 or more",
               "sort the rows by r and leave out repeated ones");
      const auto end = end_of(interaction, r.back(), pointer);
      if (end.to > r.back())
        throw InputError(
            {.file = path.string(),
             .what = fmt::format("the table ends at {} and the cutoff is {}", r.back(), end.to),
             .hint = "lower the cutoff"});
      double depth = 0.0;
      for (const double energy : columns[1]) depth = std::max(depth, -energy);
      add_term(physics::TabulatedPotential(r, columns[1], end), particles,
               std::vector<int>(particles.vertices.size(), 0),
               depth * static_cast<double>(particles.vertices.size()), interaction);
    });
  }

  physics::Switch end_of(const InteractionSpec& interaction, double usual_cutoff,
                         const std::string& pointer) {
    const double cutoff = interaction.cutoff.value_or(usual_cutoff);
    const double from = interaction.from.value_or(0.9 * cutoff);
    if (from >= cutoff)
      diagnostics_.error(pointer + "/from", "the switch begins where nothing acts any more",
                         "from must be below cutoff");
    return {from, cutoff};
  }

  template <class Potential>
  void add_term(Potential potential, const Particles& particles, std::vector<int> kinds,
                double energy_scale, const InteractionSpec& interaction) {
    spec_.interactions.push_back(
        [potential, particles, kinds, energy_scale,
         direct = interaction.search == "direct"](const physics::TermSite& site) {
          // in the order of the system
          std::vector<std::pair<int, int>> order;
          for (std::size_t k = 0; k < particles.vertices.size(); ++k)
            order.emplace_back(site.numbering.internal(particles.vertices[k]), kinds[k]);
          std::sort(order.begin(), order.end());
          order.erase(std::unique(order.begin(), order.end(),
                                  [](const auto& a, const auto& b) { return a.first == b.first; }),
                      order.end());
          physics::PairSpec pairs{.energy_scale = energy_scale, .direct = direct};
          for (const auto& [vertex, kind] : order) {
            pairs.vertices.push_back(vertex);
            pairs.kinds.push_back(kind);
          }
          for (const auto& [a, b] : particles.excluded) {
            const auto [low, high] =
                std::minmax({site.numbering.internal(a), site.numbering.internal(b)});
            pairs.excluded.push_back({low, high});
          }
          std::vector<std::unique_ptr<physics::Term>> terms;
          terms.push_back(physics::make_pair_term(potential, std::move(pairs)));
          return terms;
        });
  }

  const std::string& directory_;
  physics::BodiesSpec& spec_;
  Diagnostics& diagnostics_;
};

}  // namespace

void compile_interactions(const std::vector<InteractionSpec>& interactions,
                          const std::string& directory, physics::BodiesSpec& spec,
                          Diagnostics& diagnostics) {
  InteractionCompiler compiler(directory, spec, diagnostics);
  for (std::size_t k = 0; k < interactions.size(); ++k)
    compiler.add(interactions[k], fmt::format("/interactions/{}", k));
}

}  // namespace sinew::scene
