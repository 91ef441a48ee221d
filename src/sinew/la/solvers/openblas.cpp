// SPDX-License-Identifier: Apache-2.0
// OpenBLAS knows processors by model number. One that is younger than the library gets the kernels
// of a Prescott of 2004, which factorise 2.5 times slower than those for AVX-512 (80,000 tets). The
// instructions it has say more: they choose, unless the user did by OPENBLAS_CORETYPE.
#include <cstdlib>
#include <mutex>

#include <sinew/la/solvers/openblas.hpp>

extern "C" {
void openblas_set_num_threads(int num_threads);
int openblas_get_num_threads(void);
char* openblas_get_config(void);
char* openblas_get_corename(void);
// what the library runs when it is loaded; a build for one processor has neither
[[gnu::weak]] void gotoblas_dynamic_init(void);
[[gnu::weak]] void gotoblas_dynamic_quit(void);
}

namespace sinew::la {
namespace {

constexpr const char* choice_variable = "OPENBLAS_CORETYPE";

/// OpenBLAS' name of the best kernels these instructions allow; null: leave it as it is.
const char* kernels_for_this_processor() {
#if defined(__x86_64__)
  const auto has_avx512 = [] {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq");
  };
  if (has_avx512()) return __builtin_cpu_supports("avx512bf16") ? "Cooperlake" : "SkylakeX";
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "Haswell";
#endif
  return nullptr;
}

/// Must not run while OpenBLAS computes: before the first use in this library.
void use_the_processor() {
  const bool is_fallback = std::string_view(openblas_get_corename()) == "Prescott";
  const char* kernels = kernels_for_this_processor();
  if (!is_fallback || !kernels || std::getenv(choice_variable) || !gotoblas_dynamic_init ||
      !gotoblas_dynamic_quit)
    return;
  setenv(choice_variable, kernels, 0);
  gotoblas_dynamic_quit();
  gotoblas_dynamic_init();
  unsetenv(choice_variable);
}

struct Users {
  Users() { use_the_processor(); }
  std::mutex mutex;
  int count = 0;
  int saved_threads = 1;
};

Users& users() {
  static Users all;
  return all;
}

}  // namespace

OneBlasThread::OneBlasThread() {
  Users& all = users();
  const std::lock_guard lock(all.mutex);
  if (all.count++ > 0) return;
  all.saved_threads = openblas_get_num_threads();
  if (all.saved_threads != 1) openblas_set_num_threads(1);
}

OneBlasThread::~OneBlasThread() {
  Users& all = users();
  const std::lock_guard lock(all.mutex);
  if (--all.count == 0 && all.saved_threads != 1) openblas_set_num_threads(all.saved_threads);
}

std::string_view openblas_name() {
  users();
  return openblas_get_config();
}

}  // namespace sinew::la
