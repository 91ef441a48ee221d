// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include <sinew/core/unit_system.hpp>
#include <sinew/study/batch.hpp>
#include <sinew/study/run.hpp>

namespace sinew::study {
namespace {

/// Notes how far a run is.
class Follower final : public sim::Observer {
 public:
  /// All must outlive it; `on_change` is called after each step.
  Follower(BatchProgress& progress, std::mutex& mutex, const std::function<void()>& on_change)
      : progress_(progress), mutex_(mutex), on_change_(on_change) {}

  void on_start(const sim::FrameView& view) override { note(view.state.t, true); }
  void on_step(const sim::FrameView& view, const sim::StepRecord&) override {
    note(view.state.t, true);
  }
  void on_finish(const sim::FrameView& view, const sim::RunSummary&) override {
    note(view.state.t, false);
  }

 private:
  void note(double t, bool is_running) {
    const std::lock_guard lock(mutex_);
    progress_.t = t;
    progress_.seconds = watch_.seconds();
    progress_.is_running = is_running;
    progress_.has_ended = !is_running;
    on_change_();
  }

  BatchProgress& progress_;
  std::mutex& mutex_;
  const std::function<void()>& on_change_;
  core::Stopwatch watch_;
};

class Batch {
 public:
  Batch(const std::vector<BatchRun>& runs, const BatchOptions& options,
        const scene::Catalog& catalog)
      : runs_(runs), options_(options), catalog_(catalog), ends_(runs.size()) {
    progress_.reserve(runs.size());
    for (const BatchRun& run : runs)
      progress_.push_back({.name = run.name,
                           .end = run.scene.time.end,
                           .time_unit = core::unit_system(run.scene.units).unit("s")});
  }

  std::vector<BatchEnd> run() {
    const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
    const std::size_t at_once = options_.at_once > 0 ? options_.at_once : cores;
    std::atomic<std::size_t> next = 0;
    std::vector<std::thread> workers;
    const auto work = [&] {
      for (std::size_t k = next++; k < runs_.size(); k = next++) run_one(k);
    };
    for (std::size_t w = 0; w < std::min(at_once, runs_.size()); ++w) workers.emplace_back(work);
    for (std::thread& worker : workers) worker.join();
    if (failure_) std::rethrow_exception(failure_);
    return std::move(ends_);
  }

 private:
  void run_one(std::size_t k) {
    const std::function<void()> on_change = [this] {
      if (options_.on_progress) options_.on_progress(progress_);
    };
    try {
      RunOptions run;
      run.directory = options_.directory / runs_[k].name;
      run.replace = options_.replace;
      run.publish = options_.publish;
      run.resume = runs_[k].resume;
      run.interrupted = options_.interrupted;
      Follower follower(progress_[k], mutex_, on_change);
      run.observers.push_back(&follower);
      scene::SceneSpec scene = runs_[k].scene;
      scene.threads = 1;
      ends_[k].summary = run_scene(scene, run, catalog_);
      ends_[k].reached = progress_[k].t;
      const std::lock_guard lock(mutex_);
      if (options_.on_ended) options_.on_ended(k, ends_[k]);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
    }
  }

  const std::vector<BatchRun>& runs_;
  const BatchOptions& options_;
  const scene::Catalog& catalog_;
  std::vector<BatchEnd> ends_;
  std::vector<BatchProgress> progress_;
  std::mutex mutex_;
  std::exception_ptr failure_;
};

}  // namespace

std::vector<BatchEnd> run_batch(const std::vector<BatchRun>& runs, const BatchOptions& options,
                                const scene::Catalog& catalog) {
  return Batch(runs, options, catalog).run();
}

}  // namespace sinew::study
