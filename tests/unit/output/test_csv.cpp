// SPDX-License-Identifier: Apache-2.0
// The tables of a run: headers as promised, numbers that read back to the last bit.
#include <charconv>
#include <sstream>

#include <gtest/gtest.h>

#include <sinew/core/atomic_file.hpp>
#include <sinew/output/record/csv_file.hpp>
#include <sinew/output/record/energy_writer.hpp>
#include <sinew/output/record/probe_writer.hpp>
#include <sinew/output/record/steps_writer.hpp>
#include <sinew/scene/compile/compile.hpp>
#include <sinew/scene/format/scene_reader.hpp>

#include "support/temp_dir.hpp"

namespace sinew::output {
namespace {

namespace fs = std::filesystem;
using test::TempDir;

scene::CompiledScene falling_bar() {
  return scene::compile(scene::parse_scene(R"({ "sinew": 1,
    "bodies": [ { "mesh": { "size": [1, 0.5, 0.5], "cells": [2, 1, 1] }, "damping": { "mass": 1 } } ],
    "fixed": [ { "select": { "plane": { "normal": [1, 0, 0] } } } ],
    "loads": [ { "value": [0, 0, -9.81] } ], "time": { "dt": 0.1, "end": 0.3 },
    "output": { "probes": [ { "name": "tip", "vertex": 11 },
                            { "name": "end", "select": { "plane": { "point": [1, 0, 0], "normal": [1, 0, 0] } } } ] } })",
                                           "test"));
}

std::vector<std::vector<std::string>> read_table(const fs::path& path) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream text(core::read_file(path));
  for (std::string line; std::getline(text, line);) {
    std::istringstream cells(line);
    rows.emplace_back();
    for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(cell);
  }
  return rows;
}

double number(const std::string& cell) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  EXPECT_TRUE(error == std::errc() && end == cell.data() + cell.size()) << "'" << cell << "'";
  return value;
}

std::string first_line(const fs::path& path) {
  const std::string text = core::read_file(path);
  return text.substr(0, text.find('\n'));
}

// ---- CsvFile ---------------------------------------------------------------------------------

TEST(CsvFile, GetsItsNameOnCommit) {
  const TempDir dir;
  const fs::path path = dir.path() / "table.csv";
  CsvFile file(path, "a,b");
  file.write("1,2");

  EXPECT_FALSE(fs::exists(path));
  EXPECT_EQ(core::read_file(dir.path() / "table.csv.part"), "a,b\n1,2\n")
      << "rows reach the disk at once";
  file.commit();

  EXPECT_EQ(core::read_file(path), "a,b\n1,2\n");
  EXPECT_FALSE(fs::exists(dir.path() / "table.csv.part"));
}

TEST(CsvFile, ContinuesTheRowsThatAreKept) {
  const TempDir dir;
  const fs::path path = dir.write("table.csv", "a,b\n1,x\n2,y\n3,z\n");

  CsvFile file(path, "a,b", [](double first) { return first <= 2.0; });
  file.write("3,new");
  file.commit();

  EXPECT_EQ(core::read_file(path), "a,b\n1,x\n2,y\n3,new\n");
}

TEST(CsvFile, ContinuesTheUnfinishedFileOfAKilledRun) {
  const TempDir dir;
  const fs::path path = dir.write("table.csv", "a\n7\n");
  dir.write("table.csv.part", "a\n1\n2\n3\n");

  CsvFile file(path, "a", [](double first) { return first <= 2.0; });
  file.commit();

  EXPECT_EQ(core::read_file(path), "a\n1\n2\n");
}

TEST(CsvFile, ARowThatWasCutOffIsDropped) {
  const TempDir dir;
  const fs::path path = dir.path() / "table.csv";
  dir.write("table.csv.part", "a,b\n11,x\n12,y\n1");

  CsvFile file(path, "a,b", [](double first) { return first <= 12.0; });
  file.commit();

  EXPECT_EQ(core::read_file(path), "a,b\n11,x\n12,y\n");
}

TEST(CsvFile, WithoutKeepItStartsAnew) {
  const TempDir dir;
  const fs::path path = dir.write("table.csv", "a\n1\n");

  CsvFile file(path, "b");
  file.commit();

  EXPECT_EQ(core::read_file(path), "b\n");
}

// ---- the tables of a run ---------------------------------------------------------------------

TEST(EnergyCsv, HasTheHeaderOfTheContract) {
  const TempDir dir;
  const RunDirectory directory = RunDirectory::create(dir.path() / "run");
  scene::CompiledScene compiled = falling_bar();
  EnergyWriter writer(directory, false);
  compiled.simulation->add_observer(writer);

  compiled.simulation->run();

  EXPECT_EQ(first_line(directory.file("energy.csv")),
            "step,t,kinetic,elastic,gravity,contact,total,external_work,damping_loss,friction_loss,"
            "plastic_loss,numerical_loss,px,py,pz,lx,ly,lz");
}

TEST(EnergyCsv, IsTheLedgerToTheLastBitAndBalances) {
  const TempDir dir;
  const RunDirectory directory = RunDirectory::create(dir.path() / "run");
  scene::CompiledScene compiled = falling_bar();
  EnergyWriter writer(directory, false);
  compiled.simulation->add_observer(writer);

  compiled.simulation->run();

  const auto rows = read_table(directory.file("energy.csv"));
  ASSERT_EQ(rows.size(), 5u);
  const sim::EnergyRecord& record = compiled.simulation->ledger().record();
  const std::vector<std::string>& last = rows.back();
  EXPECT_EQ(last[0], "3");
  EXPECT_EQ(number(last[1]), compiled.simulation->state().t);
  EXPECT_EQ(number(last[2]), record.kinetic);
  EXPECT_EQ(number(last[3]), record.stored[0]);
  EXPECT_EQ(number(last[6]), record.total);
  EXPECT_EQ(number(last[11]), record.numerical_loss);
  EXPECT_EQ(number(last[14]), record.momentum.linear[2]);
  EXPECT_EQ(number(last[17]), record.momentum.angular[2]);
  const double initial = number(rows[1][6]);
  for (std::size_t r = 1; r < rows.size(); ++r) {
    std::vector<double> values;
    for (const std::string& cell : rows[r]) values.push_back(number(cell));
    // energies are of order 100 J here; sums of six of them round at 1e-13 J
    EXPECT_NEAR(values[2] + values[3] + values[4] + values[5], values[6], 1e-12) << r;
    EXPECT_NEAR(initial + values[7] - values[8] - values[9] - values[10] - values[6], values[11],
                1e-12)
        << r;
  }
}

TEST(StepsCsv, StartsWithTheHeaderOfTheContract) {
  const TempDir dir;
  const RunDirectory directory = RunDirectory::create(dir.path() / "run");
  scene::CompiledScene compiled = falling_bar();
  StepsWriter writer(directory, false);
  compiled.simulation->add_observer(writer);

  compiled.simulation->run();

  const std::string promised =
      "step,t,dt,status,newton,matvecs,krylov,factorizations,modes_iterations,rung,projected,"
      "contacts,min_distance,seconds";
  EXPECT_EQ(first_line(directory.file("steps.csv")).substr(0, promised.size()), promised)
      << "columns may be added at the end only";
  const auto rows = read_table(directory.file("steps.csv"));
  ASSERT_EQ(rows.size(), 4u);
  for (std::size_t r = 1; r < rows.size(); ++r) {
    EXPECT_EQ(rows[r].size(), rows[0].size());
    EXPECT_EQ(rows[r][0], std::to_string(r));
    EXPECT_EQ(rows[r][2], "0.1");
    EXPECT_EQ(rows[r][3], "accepted");
  }
}

TEST(ProbesCsv, HasSixColumnsPerProbeInFullPrecision) {
  const TempDir dir;
  const RunDirectory directory = RunDirectory::create(dir.path() / "run");
  scene::CompiledScene compiled = falling_bar();
  ProbeWriter writer(directory, compiled.probes, false);
  compiled.simulation->add_observer(writer);

  compiled.simulation->run();

  EXPECT_EQ(first_line(directory.file("probes.csv")),
            "t,tip_x,tip_y,tip_z,tip_vx,tip_vy,tip_vz,end_x,end_y,end_z,end_vx,end_vy,end_vz");
  const auto rows = read_table(directory.file("probes.csv"));
  ASSERT_EQ(rows.size(), 5u);
  const physics::TermSystem& system = compiled.system();
  const dynamics::State& state = compiled.simulation->state();
  const Vec3 x = system.vertex_position(11, state), v = system.vertex_velocity(11, state);
  Vec3 mean = Vec3::Zero();
  for (const int point : compiled.probes[1].points) mean += system.vertex_position(point, state);
  mean /= static_cast<double>(compiled.probes[1].points.size());
  ASSERT_EQ(compiled.probes[1].points.size(), 4u);
  for (int c = 0; c < 3; ++c) {
    const auto column = static_cast<std::size_t>(c);
    EXPECT_EQ(number(rows.back()[1 + column]), x[c]);
    EXPECT_EQ(number(rows.back()[4 + column]), v[c]);
    EXPECT_EQ(number(rows.back()[7 + column]), mean[c]) << "a selection records its mean";
  }
}

}  // namespace
}  // namespace sinew::output
