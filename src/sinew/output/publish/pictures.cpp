// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <memory>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include <sinew/core/error.hpp>
#include <sinew/core/nearest.hpp>
#include <sinew/core/path_check.hpp>
#include <sinew/output/publish/pictures.hpp>
#include <sinew/output/record/surface_frames.hpp>
#ifdef SINEW_HAS_RENDER
#include <sinew/render/renderer.hpp>
#endif

namespace sinew::output {

std::vector<std::string> picture_fields() {
  return surface_field_names();
}

#ifdef SINEW_HAS_RENDER

namespace {

constexpr int film_width = 1280, film_height = 720;
constexpr int preview_width = 400, preview_height = 450, preview_instants = 4;

/// Evenly spread over the frames, the first and the last included.
std::vector<std::size_t> instants(std::size_t frames, std::size_t count) {
  std::vector<std::size_t> result;
  count = std::min(count, frames);
  for (std::size_t k = 0; k < count; ++k)
    result.push_back(count == 1 ? 0 : k * (frames - 1) / (count - 1));
  return result;
}

/// Everything about a run that its pictures share.
class Studio {
 public:
  Studio(SurfaceFrames surface, PictureOptions options)
      : surface_(std::move(surface)), options_(std::move(options)) {
    const auto [low, high] = surface_.focus();
    box_ = {Vec3(low[0], low[1], low[2]), Vec3(high[0], high[1], high[2])};
    for (const SurfaceField& field : surface_.fields)
      if (field.name == options_.colour_by) field_ = &field;
    if (field_)
      for (const std::vector<float>& frame : field_->values)
        for (const float value : frame)
          if (std::isfinite(value)) top_ = std::max(top_, std::abs(static_cast<double>(value)));
  }

  render::Image draw(std::size_t frame, int width, int height,
                     const core::Executor& executor) const {
    render::Picture picture;
    render::Surface body;
    const std::vector<float>& x = surface_.positions[frame];
    for (std::size_t k = 0; k + 2 < x.size(); k += 3)
      body.positions.emplace_back(x[k], x[k + 1], x[k + 2]);
    const render::Camera camera = render::frame_box(box_, static_cast<double>(width) / height);
    const SurfaceChapter& chapter = surface_.chapter_of(frame);
    render::Surface obstacles = body;
    obstacles.colour = render::Obstacle{}.colour;
    const auto split = chapter.triangles.begin() + static_cast<Index>(chapter.num_body_triangles);
    body.triangles.assign(chapter.triangles.begin(), split);
    // obstacles are seen from outside only: a wall must not hide what runs into it
    std::copy_if(split, chapter.triangles.end(), std::back_inserter(obstacles.triangles),
                 [&](const std::array<int, 3>& triangle) {
                   const auto corner = [&](std::size_t k) -> const Vec3& {
                     return obstacles.positions[static_cast<std::size_t>(triangle[k])];
                   };
                   const Vec3 normal = (corner(1) - corner(0)).cross(corner(2) - corner(0));
                   return normal.dot(camera.eye - corner(0)) > 0.0;
                 });
    if (field_)
      for (const float value : field_->values[frame])
        body.values.push_back(top_ > 0.0 ? std::abs(value) / top_ : 0.0);
    picture.surfaces.push_back(std::move(body));
    if (!obstacles.triangles.empty()) picture.surfaces.push_back(std::move(obstacles));
    picture.ground = options_.has_ground;
    picture.ground_height = box_.low[2] - 0.02 * box_.diagonal();
    picture.backdrop = options_.is_dark ? render::Backdrop::dark : render::Backdrop::light;
    return render::render(picture, camera, {.width = width, .height = height}, executor);
  }

  const SurfaceFrames& surface() const { return surface_; }

 private:
  SurfaceFrames surface_;
  PictureOptions options_;
  mesh::BoundingBox box_;
  const SurfaceField* field_ = nullptr;
  double top_ = 0.0;
};

/// ffmpeg, fed with raw pictures.
class Film {
 public:
  Film(const std::filesystem::path& file, int width, int height, double fps) {
    if (std::system("command -v ffmpeg >/dev/null 2>&1") != 0)
      throw InputError({.file = file.string(),
                        .what = "films are made by the program ffmpeg, which is not here",
                        .hint = "install ffmpeg, or ask for a .png"});
    std::string name = file.string();
    for (std::size_t at = 0; (at = name.find('\'', at)) != std::string::npos; at += 4)
      name.replace(at, 1, "'\\''");
    const char* encoding = file.extension() == ".gif"
                               ? "-vf 'split[a][b];[a]palettegen[p];[b][p]paletteuse' -loop 0"
                               : "-c:v libx264 -pix_fmt yuv420p -crf 18 -movflags +faststart";
    pipe_.reset(popen(fmt::format("ffmpeg -y -loglevel error -f rawvideo -pix_fmt rgb24 -s {}x{} "
                                  "-r {} -i - {} '{}'",
                                  width, height, fps, encoding, name)
                          .c_str(),
                      "w"));
    SINEW_ASSERT(pipe_ != nullptr, "ffmpeg could not be started");
  }

  void add(const render::Image& image) {
    std::fwrite(image.rgb.data(), 1, image.rgb.size(), pipe_.get());
  }

  bool finish() { return pclose(pipe_.release()) == 0; }

 private:
  struct Close {
    void operator()(FILE* file) const { pclose(file); }
  };
  std::unique_ptr<FILE, Close> pipe_;
};

void write_film(const Studio& studio, const std::filesystem::path& file,
                const PictureOptions& options, const core::Executor& executor) {
  const std::vector<double>& times = studio.surface().times;
  // the mean rate: frames fall on steps, so that their distances differ a little
  const double rate = times.size() > 1
                          ? static_cast<double>(times.size() - 1) / (times.back() - times.front())
                          : 25.0;
  // H.264 wants even sizes
  const int width = options.width / 2 * 2, height = options.height / 2 * 2;
  Film film(file, width, height, rate * options.speed);
  for (std::size_t f = 0; f < times.size(); ++f) {
    film.add(studio.draw(f, width, height, executor));
    if (options.on_frame) options.on_frame(f + 1, times.size());
  }
  if (!film.finish())
    throw InputError({.file = file.string(),
                      .what = "ffmpeg could not write the film",
                      .hint = "its message is above; is the folder there and writable?"});
}

std::size_t frame_at(const std::vector<FrameFile>& frames, double t) {
  std::size_t best = 0;
  for (std::size_t f = 0; f < frames.size(); ++f)
    if (std::abs(frames[f].t - t) < std::abs(frames[best].t - t)) best = f;
  return best;
}

PictureOptions with_size(PictureOptions options, int width, int height) {
  if (options.width == 0) options.width = width;
  if (options.height == 0) options.height = height;
  return options;
}

/// One picture, or several instants in one.
render::Image still(const RunReader& run, const PictureOptions& asked,
                    const core::Executor& executor) {
  const PictureOptions options =
      asked.time ? with_size(asked, film_width, film_height)
                 : with_size(asked, preview_instants * preview_width, preview_height);
  const std::vector<std::size_t> chosen =
      options.time              ? std::vector<std::size_t>{frame_at(run.frames(), *options.time)}
      : !options.frames.empty() ? options.frames
                                : instants(run.frames().size(), preview_instants);
  // a colour scale over the whole run needs all of it; other pictures only what they show
  const bool has_colours = !options.colour_by.empty();
  const bool needs_all = has_colours && options.frames.empty();
  const Studio studio(read_surface_frames(run, {.with_fields = has_colours,
                                                .wants =
                                                    [&](std::size_t frame) {
                                                      return needs_all ||
                                                             std::find(chosen.begin(), chosen.end(),
                                                                       frame) != chosen.end();
                                                    }}),
                      options);
  const auto count = static_cast<int>(chosen.size());
  std::vector<render::Image> images;
  for (std::size_t k = 0; k < chosen.size(); ++k)
    images.push_back(
        studio.draw(needs_all ? chosen[k] : k, options.width / count, options.height, executor));
  return render::side_by_side(images);
}

}  // namespace

bool can_draw() {
  return true;
}

void write_preview(const RunReader& run, const core::Executor& executor) {
  if (run.frames().empty()) return;
  const PictureOptions options{.width = preview_instants * preview_width, .height = preview_height};
  render::write_png(run.directory().file("preview.png"), still(run, {}, executor));
}

void write_pictures(const RunReader& run, const std::filesystem::path& file,
                    const PictureOptions& options, const core::Executor& executor) {
  core::require_usable_path(file);
  const std::string kind = file.extension().string();
  if (kind != ".png" && kind != ".gif" && kind != ".mp4")
    throw InputError({.file = file.string(),
                      .what = "pictures are .png, films .gif or .mp4",
                      .hint = "for example -o film.mp4"});
  const std::vector<std::string> fields = picture_fields();
  if (!options.colour_by.empty() &&
      std::find(fields.begin(), fields.end(), options.colour_by) == fields.end())
    throw InputError({.what = fmt::format("there is no field '{}'", options.colour_by),
                      .hint = core::suggestion(options.colour_by, fields)});
  if (run.frames().empty())
    throw InputError({.file = run.directory().path().string(),
                      .what = "this run has no frames to draw",
                      .hint = "run the scene again without --no-frames"});
  if (kind == ".png") {
    render::write_png(file, still(run, options, executor));
  } else {
    const PictureOptions film = with_size(options, film_width, film_height);
    write_film(Studio(read_surface_frames(run), film), file, film, executor);
  }
}

#else

bool can_draw() {
  return false;
}

void write_preview(const RunReader&, const core::Executor&) {}

void write_pictures(const RunReader&, const std::filesystem::path& file, const PictureOptions&,
                    const core::Executor&) {
  throw InputError({.file = file.string(),
                    .what = "this build cannot draw",
                    .hint = "build with Embree and libpng installed, or open report.html"});
}

#endif

}  // namespace sinew::output
