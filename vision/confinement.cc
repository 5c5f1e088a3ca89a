#include "confinement.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstring>

#include "messages.h"

namespace vision {

namespace {

using Measures = std::vector<std::pair<std::string, std::string>>;

void limit(int resource, uint64_t most) {
  struct rlimit limit;
  if (getrlimit(resource, &limit) != 0) return;
  if (limit.rlim_max != RLIM_INFINITY && most > limit.rlim_max) most = limit.rlim_max;
  limit.rlim_cur = limit.rlim_max = most;
  setrlimit(resource, &limit);
}

std::string state(int error) {
  return error == 0 ? "active" : std::string("not active: ") + std::strerror(error);
}

// Landlock (Linux 5.13), by its numbers: headers of older systems lack what newer kernels have.
// https://docs.kernel.org/userspace-api/landlock.html
#ifndef __NR_landlock_create_ruleset
#define __NR_landlock_create_ruleset 444
#define __NR_landlock_restrict_self 446
#endif

struct Ruleset {
  uint64_t files, network, scoped;
};

// Forbids every access to files, connections, and signals to others: no rule allows any.
std::string give_up_files() {
  const long abi = syscall(__NR_landlock_create_ruleset, nullptr, 0, 1U);
  if (abi < 1) return state(errno);
  // Versions add rights: linking across folders, truncation, devices' controls.
  const int rights = abi >= 5 ? 16 : abi >= 3 ? 15 : abi == 2 ? 14 : 13;
  Ruleset ruleset = {(1ULL << rights) - 1, abi >= 4 ? 3ULL : 0, abi >= 6 ? 3ULL : 0};
  const size_t size = abi >= 6 ? 24 : abi >= 4 ? 16 : 8;
  const int rules = static_cast<int>(syscall(__NR_landlock_create_ruleset, &ruleset, size, 0U));
  if (rules < 0) return state(errno);
  const long result = syscall(__NR_landlock_restrict_self, rules, 0U);
  const int error = result == 0 ? 0 : errno;
  close(rules);
  return error == 0 ? "active, version " + std::to_string(abi) : state(error);
}

#if defined(__x86_64__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
constexpr uint32_t kArchitecture = 0;
#endif

// What is left: the conversation, memory without code, waiting, the clock, the end.
const int kAllowed[] = {
    __NR_read,          __NR_write,
    __NR_recvfrom,      __NR_sendto,
    __NR_close,         __NR_munmap,
    __NR_mremap,        __NR_madvise,
    __NR_brk,           __NR_futex,
    __NR_clock_gettime, __NR_gettimeofday,
    __NR_nanosleep,     __NR_clock_nanosleep,
    __NR_exit,          __NR_exit_group,
    __NR_rt_sigreturn,  __NR_rt_sigprocmask,
    __NR_sched_yield,   __NR_getpid,
    __NR_gettid,        __NR_getrandom,
    __NR_setitimer,     __NR_restart_syscall,
    __NR_rt_sigaction,  __NR_sched_getaffinity,
};

sock_filter load(size_t offset) { return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<uint32_t>(offset)); }

// Everything else fails with EPERM, as it would for lack of a right: libraries go on, attacks do not.
std::string give_up_calls() {
  if (kArchitecture == 0) return "not active: not known on this processor";
  const sock_filter allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  const sock_filter refuse = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
  std::vector<sock_filter> filter = {
      load(offsetof(seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      load(offsetof(seccomp_data, nr)),
  };
  for (int call : kAllowed) {
    filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(call), 0, 1));
    filter.push_back(allow);
  }
  // The low half of an argument.
  const auto argument = [](size_t number) {
    return load(offsetof(seccomp_data, args) + number * sizeof(uint64_t));
  };
  // No memory that can be run; and none that the bound of data does not count, which is memory that is shared
  // or grows.
  filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_mmap, 0, 6));
  filter.push_back(argument(2));
  filter.push_back(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 2, 0));
  filter.push_back(argument(3));
  filter.push_back(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, MAP_SHARED | MAP_GROWSDOWN, 0, 1));
  filter.push_back(refuse);
  filter.push_back(allow);
  filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_mprotect, 0, 4));
  filter.push_back(argument(2));
  filter.push_back(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1));
  filter.push_back(refuse);
  filter.push_back(allow);
  // Signals to itself alone, as abort() sends one.
  filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_tgkill, 0, 4));
  filter.push_back(argument(0));
  filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(getpid()), 0, 1));
  filter.push_back(allow);
  filter.push_back(refuse);
  filter.push_back(refuse);
  sock_fprog program = {static_cast<unsigned short>(filter.size()), filter.data()};
  // On all threads: libraries may have started some.
  const long result = syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
  return state(result == 0 ? 0 : errno);
}

std::string memory_state() {
  struct rlimit limit;
  if (getrlimit(RLIMIT_DATA, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return "not active";
  return "active, " + std::to_string(limit.rlim_cur >> 20) + " MiB";
}

}  // namespace

void bound_resources(uint64_t memory) {
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_DATA, memory);
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  // Files of the parent's that its libraries left open for children.
#ifdef __NR_close_range
  syscall(__NR_close_range, kFrames + 1, ~0U, 0);
#endif
  // Libraries chatter.
  const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int descriptor = 0; null >= 0 && descriptor < 3; ++descriptor) dup2(null, descriptor);
}

Measures confine() {
  Measures measures;
  struct rlimit core;
  const bool has_core = getrlimit(RLIMIT_CORE, &core) != 0 || core.rlim_cur != 0;
  measures.push_back({"memory", memory_state()});
  measures.push_back({"noCoreFiles", has_core ? "not active" : "active"});
  measures.push_back(
      {"noNewPrivileges", prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 ? "active" : "not active"});
  measures.push_back({"landlock", give_up_files()});
  measures.push_back({"seccomp", give_up_calls()});
  return measures;
}

}  // namespace vision
