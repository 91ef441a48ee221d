// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

#include <sinew/core/atomic_file.hpp>
#include <sinew/core/error.hpp>
#include <sinew/output/publish/film.hpp>
#include <sinew/render/gif.hpp>

namespace sinew::output {
namespace {

class GifFilm final : public Film {
 public:
  GifFilm(std::filesystem::path file, int width, int height, double rate)
      : file_(std::move(file)), writer_(width, height, rate) {}

  void add(const render::Image& image) override { writer_.add(image); }
  void finish() override { core::write_atomically(file_, writer_.finish()); }

 private:
  std::filesystem::path file_;
  render::GifWriter writer_;
};

/// ffmpeg, fed with raw pictures.
class EncodedFilm final : public Film {
 public:
  EncodedFilm(std::filesystem::path file, int width, int height, double rate)
      : file_(std::move(file)) {
    if (std::system("command -v ffmpeg >/dev/null 2>&1") != 0)
      throw InputError({.file = file_.string(),
                        .what = "films of this kind are made by the program ffmpeg, which is not "
                                "here",
                        .hint = "install ffmpeg, or ask for a .gif"});
    std::string name = file_.string();
    for (std::size_t at = 0; (at = name.find('\'', at)) != std::string::npos; at += 4)
      name.replace(at, 1, "'\\''");
    pipe_.reset(popen(fmt::format("ffmpeg -y -loglevel error -f rawvideo -pix_fmt rgb24 -s {}x{} "
                                  "-r {} -i - -c:v libx264 -pix_fmt yuv420p -crf 18 "
                                  "-movflags +faststart '{}'",
                                  width, height, rate, name)
                          .c_str(),
                      "w"));
    SINEW_ASSERT(pipe_ != nullptr, "ffmpeg could not be started");
  }

  void add(const render::Image& image) override {
    std::fwrite(image.rgb.data(), 1, image.rgb.size(), pipe_.get());
  }
  void finish() override {
    if (pclose(pipe_.release()) != 0)
      throw InputError({.file = file_.string(),
                        .what = "ffmpeg could not write the film",
                        .hint = "its message is above; is the folder there and writable?"});
  }

 private:
  struct Close {
    void operator()(FILE* file) const { pclose(file); }
  };
  std::filesystem::path file_;
  std::unique_ptr<FILE, Close> pipe_;
};

bool is_gif(const std::filesystem::path& file) {
  return file.extension() == ".gif";
}

}  // namespace

double highest_rate(const std::filesystem::path& file) {
  return is_gif(file) ? render::GifWriter::highest_rate : 240.0;
}

std::unique_ptr<Film> open_film(const std::filesystem::path& file, int width, int height,
                                double rate) {
  if (is_gif(file)) return std::make_unique<GifFilm>(file, width, height, rate);
  return std::make_unique<EncodedFilm>(file, width, height, rate);
}

}  // namespace sinew::output
