// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <sinew/core/error.hpp>
#include <sinew/core/nearest.hpp>
#include <sinew/core/path_check.hpp>
#include <sinew/output/publish/instants.hpp>
#include <sinew/output/publish/pictures.hpp>
#ifdef SINEW_HAS_RENDER
#include <sinew/output/publish/colour_bar.hpp>
#include <sinew/output/publish/film.hpp>
#include <sinew/output/publish/run_picture.hpp>
#include <sinew/render/text.hpp>
#endif

namespace sinew::output {

std::vector<std::string> picture_fields() {
  std::vector<std::string> names = surface_field_names();
  names.insert(names.end(), {"auto", "none"});
  return names;
}

#ifdef SINEW_HAS_RENDER

namespace {

using render::Image;

constexpr int film_width = 1280, film_height = 720;
constexpr int preview_width = 1600, preview_height = 450;
constexpr std::size_t preview_instants = 4;

/// What pictures say about times and units, from the manifest.
class Captions {
 public:
  Captions(const RunReader& run, std::span<const double> times) {
    const auto manifest = nlohmann::json::parse(run.manifest());
    const auto text_at = [&](const char* object, const char* key) {
      const auto found = manifest.find(object);
      return found != manifest.end() && found->is_object() ? found->value(key, "") : "";
    };
    is_modes_ = text_at("integrator", "name") == "modes";
    // there, time is that of the loads
    const nlohmann::json end = manifest.value("/scene/time/end"_json_pointer, nlohmann::json());
    if (text_at("integrator", "name") == "equilibrium" && end.is_number()) all_loads_ = end;
    if (const core::UnitSystem* units = run.units()) units_ = units;
    const double span = times.empty() ? 0.0 : times.back() - times.front();
    // a hundredth of the whole can be told
    if (span > 0.0)
      decimals_ = std::clamp(static_cast<int>(std::ceil(2.0 - std::log10(span))), 0, 9);
  }

  std::string at(double t) const {
    if (is_modes_) return fmt::format("mode {}", static_cast<int>(std::floor(t + 1e-9)));
    if (all_loads_ > 0.0) return fmt::format("{:.4g} % of the loads", 100.0 * t / all_loads_);
    return fmt::format("t = {:.{}f} {}", t, decimals_, unit("s"));
  }
  std::string unit(const std::string& si) const { return units_->unit(si); }

 private:
  const core::UnitSystem* units_ = &core::si_units();
  bool is_modes_ = false;
  double all_loads_ = 0.0;  // the time at which they act, where it stands for them
  int decimals_ = 2;
};

Look look_of(std::span<const SurfaceFrames* const> surfaces, const RunReader& run,
             const PictureOptions& options) {
  std::string field = options.colour_by;
  if (field == "auto") field = field_of_motion(surfaces);
  Look look = look_at(surfaces, options.up.value_or(run.up()), field);
  look.is_dark = options.is_dark;
  look.has_ground = options.has_ground;
  look.is_draft = options.is_draft;
  look.view = options.view;
  if (options.eye) look.eye = look.upright * *options.eye;
  if (options.target) look.target = look.upright * *options.target;
  if (look.field.empty()) return look;
  if (options.range) {
    std::vector<const SurfaceField*> fields;
    fields.reserve(surfaces.size());
    for (const SurfaceFrames* surface : surfaces)
      if (const SurfaceField* found = find_field(*surface, look.field)) fields.push_back(found);
    look.range = given_range((*options.range)[0], (*options.range)[1], fields);
  }
  return look;
}

/// Pictures of one run that say what they show.
class Painter {
 public:
  Painter(const RunReader& run, const SurfaceFrames& surface, const PictureOptions& options,
          const core::Executor& executor)
      : surface_(surface),
        captions_(run, surface.times),
        look_(look_of(std::array{&surface}, run, options)),
        executor_(executor) {}

  /// Frames side by side, with the meaning of the colours below.
  Image draw(const std::vector<std::size_t>& frames, int width, int height) const {
    const double letters = letter_height(height);
    std::vector<Image> parts;
    if (!look_.field.empty())
      parts.push_back(colour_bar(look_.range, look_.field, captions_.unit(look_.unit), width,
                                 letters, look_.is_dark));
    // a thumbnail has no room for words
    if (!parts.empty() && 3 * parts.front().height > height) parts.clear();
    const int below = parts.empty() ? 0 : parts.front().height;
    std::vector<Image> images;
    images.reserve(frames.size());
    const int count = static_cast<int>(frames.size());
    for (int k = 0; k < count; ++k) {
      const std::size_t frame = frames[static_cast<std::size_t>(k)];
      const int left = width * k / count, right = width * (k + 1) / count;
      images.push_back(
          draw_frame(surface_, frame, look_, right - left, std::max(1, height - below), executor_));
      write_corner(images.back(), captions_.at(surface_.times[frame]), letters, look_.is_dark);
    }
    parts.insert(parts.begin(), render::side_by_side(images));
    return render::stacked(parts);
  }

 private:
  const SurfaceFrames& surface_;
  Captions captions_;
  Look look_;
  const core::Executor& executor_;
};

/// For every picture of the film, the frame it shows.
std::vector<std::size_t> frames_of_film(const std::vector<double>& times, double speed,
                                        double rate) {
  std::vector<std::size_t> frames;
  const double seconds = (times.back() - times.front()) / speed;
  const auto count = static_cast<std::size_t>(std::floor(seconds * rate + 1e-6)) + 1;
  frames.reserve(count);
  for (std::size_t k = 0; k < count; ++k)
    frames.push_back(frame_at(times, times.front() + speed * static_cast<double>(k) / rate));
  return frames;
}

/// As the frames come, within what the format takes.
double rate_of_film(const std::vector<double>& times, const PictureOptions& options,
                    const std::filesystem::path& file) {
  constexpr double usual = 25.0, fastest = 60.0;
  const double span = times.back() - times.front();
  const double own =
      span > 0.0 ? options.speed * static_cast<double>(times.size() - 1) / span : usual;
  return std::min(options.fps.value_or(std::min(own, fastest)), highest_rate(file));
}

void write_film(const Painter& painter, const std::vector<double>& times,
                const std::filesystem::path& file, const PictureOptions& options) {
  // H.264 wants even sizes
  const int width = options.width / 2 * 2, height = options.height / 2 * 2;
  const double rate = rate_of_film(times, options, file);
  const std::vector<std::size_t> frames = frames_of_film(times, options.speed, rate);
  if (frames.size() < 2 && times.size() > 1)
    throw InputError(
        {.file = file.string(),
         .what = fmt::format("at {:g} times the speed the film would last {:.2g} s: "
                             "that is one picture",
                             options.speed, (times.back() - times.front()) / options.speed),
         .hint = "lower --speed"});
  const std::unique_ptr<Film> film = open_film(file, width, height, rate);
  Image image;
  for (std::size_t k = 0; k < frames.size(); ++k) {
    if (k == 0 || frames[k] != frames[k - 1]) image = painter.draw({frames[k]}, width, height);
    film->add(image);
    if (options.on_frame) options.on_frame(k + 1, frames.size());
  }
  film->finish();
}

PictureOptions with_size(PictureOptions options, int width, int height) {
  if (options.is_draft) width /= 2, height /= 2;
  if (options.width == 0) options.width = width;
  if (options.height == 0) options.height = height;
  return options;
}

/// One picture, or several instants in one.
Image still(const RunReader& run, const SurfaceFrames& surface, const PictureOptions& asked,
            const core::Executor& executor) {
  const PictureOptions options = asked.time ? with_size(asked, film_width, film_height)
                                            : with_size(asked, preview_width, preview_height);
  const std::vector<std::size_t> chosen =
      options.time              ? std::vector<std::size_t>{frame_at(surface.times, *options.time)}
      : !options.frames.empty() ? options.frames
                                : telling_instants(std::array{&surface}, preview_instants);
  return Painter(run, surface, options, executor).draw(chosen, options.width, options.height);
}

void require_known(const std::string& what, const std::string& name,
                   const std::vector<std::string>& names) {
  if (std::find(names.begin(), names.end(), name) == names.end())
    throw InputError({.what = fmt::format("there is no {} '{}'", what, name),
                      .hint = core::suggestion(name, names)});
}

void check(const RunReader& run, const std::filesystem::path& file, const PictureOptions& options) {
  core::require_usable_path(file);
  const std::string kind = file.extension().string();
  if (kind != ".png" && kind != ".gif" && kind != ".mp4")
    throw InputError({.file = file.string(),
                      .what = "pictures are .png, films .gif or .mp4",
                      .hint = "for example -o film.gif"});
  if (kind == ".png" && (options.fps || options.speed != 1.0))
    throw InputError(
        {.file = file.string(),
         .what = "a picture has no speed and no frames per second",
         .hint = "make a film, for example -o film.gif, or leave out --speed and --fps"});
  require_known("field", options.colour_by, picture_fields());
  require_known("view", options.view, picture_views());
  if (options.range && !((*options.range)[0] < (*options.range)[1]))
    throw InputError(Problem{.what = "the range of colours has no extent",
                             .hint = "two numbers, the smaller one first"});
  if (options.eye && options.target && options.eye->isApprox(*options.target))
    throw InputError(
        Problem{.what = "the camera is where it looks", .hint = "choose another place"});
  if (run.frames().empty())
    throw InputError({.file = run.directory().path().string(),
                      .what = "this run has no frames to draw",
                      .hint = "run the scene again without --no-frames"});
}

/// A column of names and rows of pictures, with times above and colours below.
class Table {
 public:
  Table(std::span<const PreviewRow> rows, const core::Executor& executor)
      : rows_(rows),
        surfaces_(longest_first(rows)),
        captions_(*rows.front().run, surfaces_.front()->times),
        look_(look_of(surfaces_, *rows.front().run, {})),
        executor_(executor) {
    for (const std::size_t frame : telling_instants(surfaces_, instants))
      times_.push_back(surfaces_.front()->times[frame]);
    const int columns = static_cast<int>(times_.size());
    double longest = 0.0;
    for (const PreviewRow& row : rows)
      longest = std::max(longest, name_width(row.name, letters, 0.25 * preview_width));
    width_ = (preview_width - static_cast<int>(longest + 2.0 * letters)) / columns - gap;
    gutter_ = preview_width - columns * (width_ + gap);
    height_ = std::min(width_ * 3 / 4, tallest / static_cast<int>(rows.size()));
  }

  Image draw() const {
    std::vector<Image> parts{header()};
    parts.reserve(rows_.size() + 2);
    for (const PreviewRow& row : rows_) parts.push_back(draw_row(row));
    if (!look_.field.empty())
      parts.push_back(colour_bar(look_.range, look_.field, captions_.unit(look_.unit),
                                 preview_width, letters, false));
    return render::stacked(parts, gap, paper(false));
  }

 private:
  static constexpr double letters = 12.0;
  static constexpr std::size_t instants = 5;
  static constexpr int gap = 4, tallest = 1200;

  /// The times of the run that came furthest are those of the columns.
  static std::vector<const SurfaceFrames*> longest_first(std::span<const PreviewRow> rows) {
    std::vector<const SurfaceFrames*> surfaces;
    surfaces.reserve(rows.size());
    for (const PreviewRow& row : rows) surfaces.push_back(row.surface);
    std::stable_sort(surfaces.begin(), surfaces.end(),
                     [](const SurfaceFrames* a, const SurfaceFrames* b) {
                       return a->times.size() > b->times.size();
                     });
    return surfaces;
  }

  static void write_in_the_middle(Image& image, const std::string& text, double left,
                                  double width) {
    render::draw_text(image, left + 0.5 * (width - render::text_width(text, letters)),
                      0.5 * (image.height + letters), text, letters, ink(false));
  }

  Image header() const {
    Image strip =
        render::filled_image(preview_width, static_cast<int>(2.6 * letters), paper(false));
    double left = gutter_ + gap;
    for (const double t : times_) {
      write_in_the_middle(strip, captions_.at(t), left, width_);
      left += width_ + gap;
    }
    return strip;
  }

  Image draw_row(const PreviewRow& row) const {
    std::vector<Image> images{render::filled_image(gutter_, height_, paper(false))};
    images.reserve(times_.size() + 1);
    write_name(images.front(), row.name, letters, false);
    for (const double t : times_) images.push_back(draw_cell(row, t));
    return render::side_by_side(images, gap, paper(false));
  }

  /// Empty after the end of the run.
  Image draw_cell(const PreviewRow& row, double t) const {
    const std::vector<double>&own = row.surface->times, &all = surfaces_.front()->times;
    const double slack = 0.5 * (all.back() - all.front()) / static_cast<double>(all.size());
    if (!own.empty() && t <= own.back() + slack)
      return draw_frame(*row.surface, frame_at(own, t), look_, width_, height_, executor_);
    Image empty = render::filled_image(width_, height_, paper(false));
    write_in_the_middle(empty, own.empty() ? "no frames" : "ended", 0.0, width_);
    return empty;
  }

  std::span<const PreviewRow> rows_;
  std::vector<const SurfaceFrames*> surfaces_;
  Captions captions_;
  Look look_;
  const core::Executor& executor_;
  std::vector<double> times_;
  int gutter_ = 0, width_ = 0, height_ = 0;
};

}  // namespace

bool can_draw() {
  return true;
}

std::vector<std::string> picture_views() {
  return view_names();
}

void write_preview(const RunReader& run, const SurfaceFrames& surface,
                   const core::Executor& executor) {
  if (surface.times.empty()) return;
  render::write_png(run.directory().file("preview.png"), still(run, surface, {}, executor));
}

void write_comparison_preview(const std::filesystem::path& file, std::span<const PreviewRow> rows,
                              const core::Executor& executor) {
  constexpr std::size_t most_rows = 8;
  const auto has_frames = [](const PreviewRow& row) { return !row.surface->times.empty(); };
  if (std::none_of(rows.begin(), rows.end(), has_frames)) return;
  render::write_png(file, Table(rows.first(std::min(rows.size(), most_rows)), executor).draw());
}

void write_pictures(const RunReader& run, const std::filesystem::path& file,
                    const PictureOptions& options, const core::Executor& executor) {
  check(run, file, options);
  const SurfaceFrames surface = read_surface_frames(run);
  if (file.extension() == ".png") {
    render::write_png(file, still(run, surface, options, executor));
  } else {
    const PictureOptions film = with_size(options, film_width, film_height);
    write_film(Painter(run, surface, film, executor), surface.times, file, film);
  }
}

#else

bool can_draw() {
  return false;
}

std::vector<std::string> picture_views() {
  return {};
}

void write_preview(const RunReader&, const SurfaceFrames&, const core::Executor&) {}

void write_comparison_preview(const std::filesystem::path&, std::span<const PreviewRow>,
                              const core::Executor&) {}

void write_pictures(const RunReader&, const std::filesystem::path& file, const PictureOptions&,
                    const core::Executor&) {
  throw InputError({.file = file.string(),
                    .what = "this build cannot draw",
                    .hint = "build with Embree and libpng installed, or open report.html"});
}

#endif

}  // namespace sinew::output
