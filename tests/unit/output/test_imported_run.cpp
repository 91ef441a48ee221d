// SPDX-License-Identifier: Apache-2.0
// Series of other programs become runs, and points find each other by where they were at rest. The
// files are written here by hand, as other programs write them.
#include <cmath>
#include <fstream>
#include <numeric>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <sinew/core/error.hpp>
#include <sinew/mesh/io/vtu.hpp>
#include <sinew/mesh/quadratic.hpp>
#include <sinew/output/record/imported_run.hpp>
#include <sinew/output/record/run_distance.hpp>

#include "support/temp_dir.hpp"

namespace sinew::output {
namespace {

namespace fs = std::filesystem;
using test::TempDir;
using Points = std::vector<Vec3>;

const Points unit_tet{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

std::string numbers(const Points& points) {
  std::string text;
  for (const Vec3& x : points) text += fmt::format("{} {} {}\n", x[0], x[1], x[2]);
  return text;
}

struct Frame {
  double t;
  Points points;
  Points displacements{};
};

/// A series of one tet, in ASCII.
struct Series {
  std::vector<Frame> frames;
  std::vector<int> tet{0, 1, 2, 3};
  std::string displacement_name = "u";

  fs::path write(const fs::path& folder) const {
    fs::create_directories(folder);
    std::ofstream pvd(folder / "series.pvd");
    pvd << "<VTKFile type='Collection'><Collection>\n";
    for (std::size_t k = 0; k < frames.size(); ++k) {
      const std::string name = fmt::format("at_{}.vtu", k);
      pvd << fmt::format("<DataSet file='{}' timestep='{}'/>\n", name, frames[k].t);
      std::ofstream(folder / name) << frame(frames[k]);
    }
    pvd << "</Collection></VTKFile>\n";
    return folder / "series.pvd";
  }

 private:
  std::string frame(const Frame& frame) const {
    const auto array = [](const std::string& attributes, const std::string& values) {
      return fmt::format("<DataArray {} format=\"ascii\">\n{}</DataArray>\n", attributes, values);
    };
    std::string data;
    if (!frame.displacements.empty())
      data = array(
          fmt::format("type=\"Float64\" Name=\"{}\" NumberOfComponents=\"3\"", displacement_name),
          numbers(frame.displacements));
    return fmt::format(
        "<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
        "<UnstructuredGrid><Piece NumberOfPoints=\"{}\" NumberOfCells=\"1\">\n"
        "<Points>{}</Points><PointData>{}</PointData><Cells>{}{}{}</Cells>\n"
        "</Piece></UnstructuredGrid></VTKFile>\n",
        frame.points.size(),
        array("type=\"Float64\" NumberOfComponents=\"3\"", numbers(frame.points)), data,
        array("type=\"Int32\" Name=\"connectivity\"", fmt::format("{}\n", fmt::join(tet, " "))),
        array("type=\"Int32\" Name=\"offsets\"", fmt::format("{}\n", tet.size())),
        array("type=\"UInt8\" Name=\"types\"", tet.size() == 10 ? "24\n" : "10\n"));
  }
};

Points moved(const Points& points, const Vec3& by) {
  Points result = points;
  for (Vec3& x : result) x += by;
  return result;
}

/// One of three frames a second apart, which goes along x at 0.1 m/s and along `drift` as well.
Series moving(const Vec3& drift = Vec3::Zero(), const Points& points = unit_tet) {
  Series series;
  for (const double t : {0.0, 1.0, 2.0})
    series.frames.push_back({t, moved(points, t * (Vec3(0.1, 0, 0) + drift))});
  return series;
}

/// The same with points that stay and an array that says by how much they are moved.
Series displaced(const Series& series) {
  Series result = series;
  for (Frame& frame : result.frames) {
    frame.displacements = frame.points;
    frame.points = series.frames.front().points;
    for (std::size_t k = 0; k < frame.points.size(); ++k) frame.displacements[k] -= frame.points[k];
  }
  return result;
}

class ImportedRun : public testing::Test {
 protected:
  RunReader import(const Series& series, const std::string& name) {
    import_series(series.write(dir_.path() / ("of_" + name)), dir_.path() / name, false);
    return RunReader(dir_.path() / name);
  }

  std::string refusal(const Series& series) {
    try {
      import(series, "refused");
    } catch (const InputError& error) {
      EXPECT_FALSE(fs::exists(dir_.path() / "refused"));
      return error.problems().front().what;
    }
    return "";
  }

  TempDir dir_;
};

// 0.5 m/s apart at one and at two seconds
const Vec3 drift(0.3, 0, 0.4);
const double distance_of_drift = 0.5 * std::sqrt((1.0 + 4.0) / 2.0);

/// Points as a program with floats writes them, a little different each time.
Points rounded(Points points, double by) {
  for (std::size_t k = 0; k < points.size(); ++k)
    for (int axis = 0; axis < 3; ++axis)
      points[k][axis] += by * std::sin(static_cast<double>(7 * k) + axis + by * 1e9);
  return points;
}

TEST_F(ImportedRun, PointsMayStayUpToRounding) {
  Series series = displaced(moving());
  for (std::size_t k = 0; k < series.frames.size(); ++k) {
    series.frames[k].points = rounded(series.frames[k].points, 3e-8 * static_cast<double>(k));
    for (Vec3& u : series.frames[k].displacements) u *= 1e-5;
  }
  const RunReader run = import(series, "rounded");
  const auto fields = mesh::io::read_vtu_fields(run.frames()[2].path, true, {"displacement"});
  EXPECT_NEAR(fields.point_data.begin()->second[0], 2e-6, 1e-12);
}

TEST_F(ImportedRun, PointsThatMoveAreNotMovedTwice) {
  for (const double scale : {1.0, 1e-7}) {
    Series series;
    for (const double t : {0.0, 1.0, 2.0}) {
      const Vec3 u = scale * Vec3(0.1 * t + 0.02, 0, 0);
      series.frames.push_back({t, moved(unit_tet, u), Points(4, u)});
    }
    const RunReader run = import(series, fmt::format("both_{}", scale));
    const auto fields = mesh::io::read_vtu_fields(run.frames()[2].path, true, {"displacement"});
    EXPECT_NEAR(fields.point_data.begin()->second[0], scale * 0.2, scale * 1e-6);
  }
}

TEST_F(ImportedRun, RoundingIsNoMotion) {
  Series series = moving();
  for (std::size_t k = 0; k < series.frames.size(); ++k)
    series.frames[k].points = rounded(unit_tet, 1e-14 * static_cast<double>(k));
  EXPECT_EQ(refusal(series), "nothing moves in this series");
}

TEST_F(ImportedRun, IsFoundAsItWasWritten) {
  for (const bool by_displacement : {false, true}) {
    const Series series = by_displacement ? displaced(moving()) : moving();
    const RunReader run = import(series, by_displacement ? "b" : "a");
    ASSERT_EQ(run.frames().size(), 3u);
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_EQ(run.frames()[k].t, static_cast<double>(k));
      const auto fields = mesh::io::read_vtu_fields(run.frames()[k].path, true, {"displacement"});
      ASSERT_EQ(fields.tets.size(), 1u);
      EXPECT_EQ(fields.tets[0], (mesh::Tet{0, 1, 2, 3}));
      for (std::size_t v = 0; v < 4; ++v) {
        EXPECT_LT((fields.points[v] - unit_tet[v] - Vec3(0.1 * run.frames()[k].t, 0, 0)).norm(),
                  1e-15);
        EXPECT_NEAR(fields.point_data.at("displacement")[3 * v], 0.1 * run.frames()[k].t, 1e-15);
      }
    }
  }
}

TEST_F(ImportedRun, DisplacementsAreFoundUnderTheNamesProgramsGiveThem) {
  for (const std::string name : {"Displacement", "disp", "U", "solution"}) {
    Series series = displaced(moving());
    series.displacement_name = name;
    EXPECT_EQ(import(series, "as_" + name).frames().size(), 3u);
  }
  Series series = displaced(moving());
  series.displacement_name = "velocity";
  EXPECT_EQ(refusal(series), "nothing moves in this series");
}

TEST_F(ImportedRun, DamagedSeriesAreRefusedAndLeaveNothingBehind) {
  EXPECT_EQ(refusal({}), "this series names no files");
  Series twice = moving();
  twice.frames[2].t = 1.0;
  EXPECT_EQ(refusal(twice), "the times 1 and 1 follow each other");
  Series bad_time = moving();
  bad_time.frames[1].t = NAN;
  EXPECT_NE(refusal(bad_time), "");
  const fs::path pvd = moving().write(dir_.path() / "gone");
  fs::remove(dir_.path() / "gone/at_2.vtu");
  EXPECT_THROW(import_series(pvd, dir_.path() / "half", false), InputError);
  EXPECT_FALSE(fs::exists(dir_.path() / "half"));
}

TEST_F(ImportedRun, PointsAreMatchedByNumber) {
  const RunDistance distance =
      distance_between(import(moving(drift), "a"), import(displaced(moving()), "b"));
  ASSERT_TRUE(distance.value) << distance.why_not;
  EXPECT_NEAR(*distance.value, distance_of_drift, 1e-14);
}

TEST_F(ImportedRun, PointsInAnotherOrderFindEachOther) {
  // points that stretch by other amounts, so that a wrong pair would show
  const auto stretched = [](const std::vector<std::size_t>& order, double by) {
    Series series;
    for (const double t : {0.0, 1.0}) {
      Points points;
      for (const std::size_t v : order) points.push_back(unit_tet[v] * (1.0 + by * t));
      series.frames.push_back({t, points});
    }
    for (int k = 0; k < 4; ++k) series.tet[order[static_cast<std::size_t>(k)]] = k;
    return series;
  };
  const RunReader a = import(stretched({0, 1, 2, 3}, 0.1), "a");
  const RunDistance same = distance_between(a, import(stretched({2, 0, 3, 1}, 0.1), "same"));
  ASSERT_TRUE(same.value) << same.why_not;
  EXPECT_NEAR(*same.value, 0.0, 1e-15);
  // three of the four points are one metre out, and stretch by 0.1 more
  const RunDistance other = distance_between(a, import(stretched({2, 0, 3, 1}, 0.2), "other"));
  ASSERT_TRUE(other.value) << other.why_not;
  EXPECT_NEAR(*other.value, 0.1 * std::sqrt(0.75), 1e-15);
}

TEST_F(ImportedRun, TheCornersOfTenNodesFindThoseOfFour) {
  Points ten = unit_tet;
  for (const auto& edge : mesh::tet_edges)
    ten.push_back(0.5 * (unit_tet[static_cast<std::size_t>(edge[0])] +
                         unit_tet[static_cast<std::size_t>(edge[1])]));
  Series quadratic = moving(drift, ten);
  quadratic.tet.resize(10);
  std::iota(quadratic.tet.begin(), quadratic.tet.end(), 0);
  const RunReader four = import(moving(), "four"), run = import(quadratic, "ten");
  for (const RunDistance& distance : {distance_between(four, run), distance_between(run, four)}) {
    ASSERT_TRUE(distance.value) << distance.why_not;
    EXPECT_NEAR(*distance.value, distance_of_drift, 1e-14);
  }
}

TEST_F(ImportedRun, WithoutPartnersOrTimesThereIsNoDistanceAndAReason) {
  const RunReader run = import(moving(), "a");
  const RunDistance elsewhere =
      distance_between(run, import(moving(drift, moved(unit_tet, Vec3(0.01, 0, 0))), "b"));
  EXPECT_FALSE(elsewhere.value);
  EXPECT_EQ(elsewhere.why_not, "its 4 points at rest are not where the 4 of the other are");
  Series late = moving();
  for (Frame& frame : late.frames) frame.t += 0.5;
  const RunDistance other_times = distance_between(run, import(late, "c"));
  EXPECT_FALSE(other_times.value);
  EXPECT_EQ(other_times.why_not, "no frame after the start is at a time that both have");
}

}  // namespace
}  // namespace sinew::output
