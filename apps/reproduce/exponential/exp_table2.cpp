// SPDX-License-Identifier: Apache-2.0
// Seconds per step of the exponential method and of BDF-1, for all models of the paper.
#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "motion.hpp"
#include "targets.hpp"

namespace sinew::cli {
namespace {

struct Model {
  const char* id;
  const char* name;
  const char* scene;
  const char* method;      ///< exponential: with a constant stiffness, or with one of each step
  double paper_exp = 0.0;  ///< [s per step]; below 0: not measured
  double paper_bdf = 0.0;
  Changes smaller{};  ///< for --quick
  Changes more{};     ///< options of the exponential method
};

const std::vector<Model>& models() {
  static const Changes edges{{"integrator.rotations", "edges"}};
  static const std::vector<Model> table{
      {"1", "Fermi-Pasta-Ulam", "fermi-pasta-ulam", "eti", 0.0, 0.0},
      {"2", "Electricity Pylon", "pylon", "eti", 0.001, 0.160},
      {"3", "Spring", "coil-spring", "eti", 0.007, 0.679},
      {"4", "Dome", "dome", "eti", 0.006, 0.576},
      {"5", "Armadillo", "squatting-figure", "eti", 0.350, 38.332, {{"bodies.0.mesh.cells", "24"}}},
      {"6", "Dragon", "dragon-lattice", "neti", 3.916, 604.019, {{"bodies.0.mesh.cells", "45"}}},
      {"7", "Twisting Beam", "twisting-beam", "neti", 0.002, 0.084},
      {"8", "Torus", "bouncing-tori", "neti", 0.002, 0.363},
      {"9", "Rope", "swinging-rope", "eti", 0.0, 0.059},
      {"10a",
       "Textile Hemisphere",
       "textile-hemisphere",
       "eti",
       0.241,
       32.362,
       {{"bodies.0.mesh.cells", "[49, 49]"}}},
      {"10b",
       "Spinning Buddha",
       "spinning-statue",
       "neti",
       0.364,
       35.598,
       {{"bodies.0.mesh.cells", "[49, 49]"}}},
      {"10c", "Aluminium Foil", "aluminium-foil", "eti", 0.0, 0.062},
      {"11", "Steel sphere", "steel-sphere", "ere", 0.021, -1.0},
      {"12a", "Eiffeltower", "tower-corotated", "eti", 0.127, -1.0},
      {"12b", "Eiffeltower (COROT)", "tower-corotated", "ceti", 0.382, -1.0, {}, edges},
  };
  return table;
}

std::string milliseconds(double seconds) {
  return fmt::format("{:.3g} ms", 1e3 * seconds);
}

std::string fate_of_steps(const Motion& motion) {
  return motion.reached ? "" : fmt::format(" (fails after {} steps)", motion.steps);
}

double per_step(long count, const Motion& motion) {
  return static_cast<double>(count) / static_cast<double>(std::max(motion.steps, 1L));
}

Finding compare_steps(const Model& model, const Motion& fast, const Motion& slow, bool is_smaller) {
  const double ratio = slow.cpu_per_step() / fast.cpu_per_step();
  Finding finding{
      .ours = fmt::format(
          "{} {}{}, be {}{}: {:.2g} times; preparation {}; {:.0f} products, {:.1f} solves",
          model.method, milliseconds(fast.cpu_per_step()), fate_of_steps(fast),
          milliseconds(slow.cpu_per_step()), fate_of_steps(slow), ratio,
          milliseconds(std::max(fast.first_step - fast.cpu_per_step(), 0.0)),
          per_step(fast.profile.counts.matvecs, fast), per_step(slow.profile.counts.solves, slow))};
  if (model.paper_exp <= 0.0 || model.paper_bdf <= 0.0) {
    finding.verdict = Verdict::not_comparable;
    finding.why = model.paper_exp == 0.0 ? "the paper's time is below its resolution"
                                         : "the paper could not measure BDF-1";
    return finding;
  }
  const double paper = model.paper_bdf / model.paper_exp;
  finding.verdict = agrees_if(ratio >= paper / 3.0);
  finding.why = fmt::format("{}{} of {:.0f} would agree",
                            is_smaller ? "with fewer particles; " : "", "a third", paper);
  if (finding.verdict == Verdict::differs)
    finding.why += ratio > 1.0 ? ": cheaper, but be here solves sparse systems with a factor that "
                                 "serves many steps"
                               : ": be here solves sparse systems with a factor that serves many "
                                 "steps, and costs less";
  return finding;
}

output::Curve curve_of_times(const char* name, const std::map<double, double>& times) {
  output::Curve curve{.name = name};
  for (const auto& [unknowns, milliseconds] : times) {
    curve.x.push_back(unknowns);
    curve.y.push_back(milliseconds);
  }
  return curve;
}

void run_exp_table2(Reproduction& reproduction) {
  const long steps = reproduction.choose(1L, 8L, 20L);
  const bool is_full = reproduction.scale() == Scale::full;
  std::vector<std::string> rows;
  // by unknowns: time per step [ms]
  std::map<double, double> fast_times, slow_times;
  for (const Model& model : models()) {
    const bool is_smaller = !is_full && !model.smaller.empty();
    Changes changes = is_smaller ? model.smaller : Changes{};
    if (reproduction.scale() == Scale::trial && is_smaller)
      changes = {{"bodies.0.mesh.cells", changes.front().value[0] == '[' ? "[8, 8]" : "24"}};
    const double dt = scene::find_scene(model.scene).time.dt;
    changes = changes + Changes{{"time.end", fmt::format("{}", static_cast<double>(steps) * dt)}};
    const Motion fast = motion_of(model.scene, model.method, changes + model.more);
    const Motion slow = motion_of(model.scene, "be", changes);
    const auto unknowns = static_cast<double>(fast.begin.size());
    rows.push_back(fmt::format("{},{},{},{},{},{},{},{},{},{},{}", model.id, model.scene, unknowns,
                               model.method, fast.first_step, fast.cpu_per_step(),
                               slow.cpu_per_step(), fast.profile.counts.matvecs,
                               slow.profile.counts.solves, model.paper_exp, model.paper_bdf));
    fast_times[unknowns] = 1e3 * fast.cpu_per_step();
    slow_times[unknowns] = 1e3 * slow.cpu_per_step();
    reproduction.judge(model.id, compare_steps(model, fast, slow, is_smaller));
  }
  reproduction.write_csv("exp-table2.csv",
                         "row,scene,unknowns,method,first_step_s,exponential_s,be_s,products,"
                         "be_solves,paper_exponential_s,paper_bdf1_s",
                         rows);
  reproduction.write_plot("exp-table2.svg", {.title = "a step of every model of table II",
                                             .x_label = "unknowns",
                                             .y_label = "CPU time per step [ms]",
                                             .logarithmic_x = true,
                                             .logarithmic_y = true,
                                             .marks_points = true,
                                             .curves = {curve_of_times("exponential", fast_times),
                                                        curve_of_times("be", slow_times)}});
  reproduction.note(
      "Times are CPU times of all threads, of this machine and of the first steps of each scene; "
      "steps, masses and sizes are the scenes', since the paper gives none for its table. The "
      "paper "
      "does not say how its BDF-1 solves its systems.");
}

}  // namespace

Target exp_table2() {
  std::vector<Statement> statements;
  for (const Model& model : models()) {
    const auto seconds = [](double value) {
      return value < 0.0 ? std::string("not measured") : fmt::format("{:.3f} s", value);
    };
    statements.push_back(
        {.id = model.id,
         .where = fmt::format("table II, row {}", model.id),
         .text = fmt::format(
             "{}: a step of the exponential method costs far less than one of BDF-1", model.name),
         .paper = fmt::format("{} and {}", seconds(model.paper_exp), seconds(model.paper_bdf)) +
                  (model.paper_exp > 0.0 && model.paper_bdf > 0.0
                       ? fmt::format(": {:.0f} times", model.paper_bdf / model.paper_exp)
                       : "")});
  }
  return {.name = "exp-table2",
          .paper = "Michels et al. 2014",
          .summary = "Time per step of the exponential method and of BDF-1 for all models",
          .statements = statements,
          .run = run_exp_table2};
}

}  // namespace sinew::cli
