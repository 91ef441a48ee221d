// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include <sinew/core/atomic_file.hpp>
#include <sinew/output/publish/pictures.hpp>
#include <sinew/output/record/manifest_writer.hpp>
#include <sinew/output/record/vtu_writer.hpp>
#include <sinew/scene/compile/compile.hpp>
#include <sinew/scene/compile/up_direction.hpp>
#include <sinew/scene/format/scene_writer.hpp>
#include <sinew/study/modes.hpp>
#include <sinew/study/run.hpp>

namespace sinew::study {
namespace {

constexpr double tolerance = 1e-8;
// of the eigenvalue: with a residual beyond, it is lost in rounding, however good the space is
constexpr double tells_nothing = 0.1;

ModeKind kind_of(const dynamics::NaturalModes& found, Index k) {
  if (found.is_rigid[static_cast<std::size_t>(k)]) return ModeKind::rigid;
  return found.modes.lambda[k] < -found.rounding ? ModeKind::unstable : ModeKind::vibration;
}

std::vector<ModeRow> rows_of(const dynamics::NaturalModes& found) {
  std::vector<ModeRow> rows;
  int number = 0;
  for (Index k = 0; k < found.modes.size(); ++k) {
    const double lambda = found.modes.lambda[k], omega = std::sqrt(std::abs(lambda));
    const ModeKind kind = kind_of(found, k);
    const double residual = found.modes.residual[k] / std::abs(lambda);
    rows.push_back({.number = kind == ModeKind::rigid ? 0 : ++number,
                    .kind = kind,
                    .frequency = omega / (2.0 * std::numbers::pi),
                    .omega = omega,
                    .lambda = lambda,
                    .residual = residual,
                    .damping_ratio = found.damping[k] / (2.0 * omega),
                    .is_found = found.is_found(k, tolerance) && residual < tells_nothing});
  }
  return rows;
}

std::string csv_of(const SceneModes& modes) {
  std::string text = "mode,kind,frequency,omega,eigenvalue,residual,damping_ratio\n";
  for (const ModeRow& row : modes.rows)
    text += fmt::format("{},{},{},{},{},{},{}\n", row.number, to_string(row.kind), row.frequency,
                        row.omega, row.lambda, row.residual, row.damping_ratio);
  return text;
}

/// Draws shapes large enough to be seen, whatever they are: a tenth of the size of it all.
double visible_factor(const physics::TermSystem& system, const dynamics::State& state,
                      const VecIn& shape) {
  constexpr double share = 0.1;
  Eigen::AlignedBox3d box;
  for (int v = 0; v < system.num_vertices(); ++v) box.extend(system.vertex_position(v, state));
  double largest = 0.0;
  for (Index node = 0; node + 2 < shape.size(); node += 3)
    largest = std::max(largest, shape.segment<3>(node).norm());
  // the sign of a shape means nothing; one must be chosen
  Index where = 0;
  shape.cwiseAbs().maxCoeff(&where);
  const double size = box.diagonal().norm() > 0.0 ? box.diagonal().norm() : 1.0;
  return std::copysign(share * size / largest, shape[where]);
}

/// One frame per mode, or one swing; the number of the mode stands for the time. Returns the frame
/// of the largest deflection of each mode.
std::vector<std::size_t> write_shapes(const output::RunDirectory& directory,
                                      const physics::TermSystem& system,
                                      const dynamics::State& state, const SceneModes& modes,
                                      int frames) {
  std::vector<output::SeriesEntry> series;
  std::vector<std::size_t> largest;
  const auto workspace = system.make_workspace();
  output::VtuFrameTaker taker;
  output::VtuPacker packer;
  std::filesystem::create_directories(directory.frames());
  for (std::size_t k = 0; k < modes.rows.size(); ++k) {
    const int number = modes.rows[k].number;
    if (modes.rows[k].kind == ModeKind::rigid) continue;
    const auto shape = modes.found.modes.U.col(static_cast<Index>(k));
    const double factor = visible_factor(system, state, shape);
    largest.push_back(series.size());
    for (int f = 0; f < frames; ++f) {
      const double phase = static_cast<double>(f) / frames;
      dynamics::State shown = state;
      shown.q += factor * std::cos(2.0 * std::numbers::pi * phase) * shape;
      shown.v.setZero();
      series.push_back({frames == 1 ? fmt::format("mode_{:02}.vtu", number)
                                    : fmt::format("mode_{:02}_{:03}.vtu", number, f),
                        number + phase});
      core::write_atomically(directory.frames() / series.back().file,
                             packer.pack(taker.take(system, shown, *workspace, series.back().t)));
    }
  }
  output::write_series(directory, series);
  return largest;
}

void write(const scene::SceneSpec& scene, const scene::Catalog& catalog,
           const ModesOptions& options, const scene::CompiledScene& compiled,
           const dynamics::State& state, const SceneModes& modes, double setup_seconds) {
  const core::Stopwatch watch;
  const physics::TermSystem& system = compiled.system();
  const auto directory = output::RunDirectory::create(options.directory, options.replace);
  core::write_atomically(directory.file("modes.csv"), csv_of(modes));
  std::vector<std::size_t> largest = write_shapes(directory, system, state, modes, options.frames);
  // a manifest makes it a directory that can be drawn, looked at and replaced as a run can
  const sim::EnergyLedger ledger(system, compiled.simulation->reducer());
  const auto workspace = system.make_workspace();
  sim::RunSummary summary{
      .reason = modes.are_found() ? sim::StopReason::reached_end : sim::StopReason::failed,
      .profile = modes.found.profile,
      .wall_seconds = modes.seconds,
      .output_seconds = watch.seconds()};
  output::ManifestWriter(directory, {.scene_json = scene::to_json(resolved(scene), catalog),
                                     .integrator = "modes",
                                     .solver = scene.integrator.solver,
                                     .blas = std::string(la::blas_name()),
                                     .threads = compiled.executor->num_threads(),
                                     .setup_seconds = setup_seconds,
                                     .up = scene::up_direction(scene, catalog),
                                     .reason = modes.reason(),
                                     .units = &core::unit_system(scene.units)})
      .on_finish({system, state, *workspace, ledger}, summary);
  if (largest.empty() || !output::can_draw()) return;
  constexpr std::size_t most_drawn = 4;
  largest.resize(std::min(largest.size(), most_drawn));
  output::write_pictures(output::RunReader(options.directory), directory.file("preview.png"),
                         {.colour_by = "displacement", .has_ground = false, .frames = largest},
                         *compiled.executor);
}

}  // namespace

std::string_view to_string(ModeKind kind) {
  switch (kind) {
    case ModeKind::vibration:
      return "vibration";
    case ModeKind::rigid:
      return "rigid";
    case ModeKind::unstable:
      return "unstable";
  }
  return "unknown";
}

bool SceneModes::are_found() const {
  return found.status == la::SolveStatus::ok && std::ranges::all_of(rows, [](const ModeRow& row) {
           return row.is_found || row.kind == ModeKind::rigid;
         });
}

std::string SceneModes::reason() const {
  const auto missed = std::ranges::count_if(
      rows, [](const ModeRow& row) { return !row.is_found && row.kind != ModeKind::rigid; });
  if (found.status != la::SolveStatus::ok && rows.empty())
    return fmt::format("no modes were found: {}", la::to_string(found.status));
  if (missed == 0) return fmt::format("found {} modes", rows.size());
  const auto lost = std::ranges::count_if(rows, [&](const ModeRow& row) {
    return row.kind != ModeKind::rigid && std::abs(row.lambda) <= found.rounding;
  });
  std::string text =
      fmt::format("{} of {} modes have residuals above {}", missed, rows.size(), tolerance);
  if (lost > 0)
    text += fmt::format(
        "; the frequencies of {} are below {:.2g}, which is all that rounding lets be seen beside "
        "the stiffest motion: do parts move there without any stiffness?",
        lost, std::sqrt(found.rounding) / (2.0 * std::numbers::pi));
  return text;
}

SceneModes find_scene_modes(const scene::SceneSpec& scene, const ModesOptions& options,
                            const scene::Catalog& catalog) {
  const core::Stopwatch setup;
  const bool writes = !options.directory.empty();
  if (writes) output::RunDirectory::require_usable(options.directory, options.replace);
  const scene::CompiledScene compiled = scene::compile(scene, catalog);
  if (options.on_warning)
    for (const Problem& warning : compiled.warnings) options.on_warning(warning);
  const physics::TermSystem& system = compiled.system();
  const dynamics::State state =
      options.at_initial ? compiled.simulation->state() : system.rest_state();
  const Index most = system.num_dofs() - system.frame().rigid_modes(state).cols();
  if (most < 1)
    throw InputError({.what = fmt::format("{} has nothing that can vibrate", scene.name),
                      .hint = "let some of its vertices free"});
  if (options.count < 1 || options.count > most)
    throw InputError({.what = fmt::format("{} has 1 to {} modes beside the rigid ones, not {}",
                                          scene.name, most, options.count),
                      .hint = "choose another number with -n, or a finer mesh"});
  const double setup_seconds = setup.seconds();
  const core::Stopwatch watch;
  SceneModes modes;
  modes.dofs = system.num_dofs();
  modes.elements = static_cast<Index>(system.observables().geometry().types.size());
  modes.has_damping = system.traits().damping != dynamics::DampingKind::none;
  const la::Reducer& reducer = compiled.simulation->reducer();
  modes.found =
      dynamics::find_natural_modes(system, state, {.count = options.count, .tolerance = tolerance},
                                   *la::solvers().front().make(reducer), reducer);
  modes.rows = rows_of(modes.found);
  modes.seconds = watch.seconds();
  if (writes) write(scene, catalog, options, compiled, state, modes, setup_seconds);
  return modes;
}

}  // namespace sinew::study
