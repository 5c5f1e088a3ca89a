#include "trials.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <new>

namespace vision {

namespace {

// The numbers of `VisionTrial` in `Sources/Vision`.
enum Trial : uint16_t {
  kHang = 1,
  kCrash = 2,
  kEnd = 3,
  kHugeLength = 4,
  kHalf = 5,
  kForeignSequence = 6,
  kNoise = 7,
  kAllocate = 8,
  kReach = 9,
  kAbort = 10,
};

// Whoever started this, as it was before it gave up asking.
const pid_t kParent = getppid();

std::string outcome(long result) { return result >= 0 ? "possible" : std::strerror(errno); }

// What an attacker would reach for.
Thing reach() {
  Thing thing;
  thing.corners = {{0, 0}, {1, 0}, {1, 1}};
  thing.details.push_back({"read", outcome(open("/etc/passwd", O_RDONLY))});
  const char *const path = "/tmp/safelight-vision-trial";
  const int file = open(path, O_CREAT | O_WRONLY, 0600);
  thing.details.push_back({"write", outcome(file)});
  if (file >= 0) unlink(path);
  thing.details.push_back({"socket", outcome(socket(AF_INET, SOCK_STREAM, 0))});
  char *const arguments[] = {const_cast<char *>("true"), nullptr};
  const pid_t child = fork();
  if (child == 0) {
    execv("/bin/true", arguments);
    _exit(1);
  }
  thing.details.push_back({"fork", outcome(child)});
  // Without a child to try it in, it would end this process.
  thing.details.push_back({"exec", child < 0 ? outcome(execv("/bin/true", arguments)) : "possible"});
  thing.details.push_back({"signal", outcome(syscall(SYS_tgkill, kParent, kParent, 0))});
  void *shared = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  thing.details.push_back({"shared", outcome(shared == MAP_FAILED ? -1 : 0)});
  void *code = mmap(nullptr, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  thing.details.push_back({"code", outcome(code == MAP_FAILED ? -1 : 0)});
  void *frames = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, kFrames, 0);
  thing.details.push_back({"frames", outcome(frames == MAP_FAILED ? -1 : 0)});
  return thing;
}

}  // namespace

void run_trial(const Request &request) {
  switch (request.trial) {
    case kHang:
      for (;;) usleep(1000 * 1000);
    case kCrash:
      raise(SIGSEGV);
      break;
    case kEnd:
      _exit(0);
    case kHugeLength:
      send_bytes("\xFF\xFF\xFF\xFF", 4);
      break;
    case kHalf:
      send_bytes("\x40\x00\x00\x00half", 8);
      _exit(0);
    case kForeignSequence:
      send_found(request.sequence + 1, {});
      break;
    case kNoise:
      send_bytes("\x08\x00\x00\x00\xAA\xAA\xAA\xAA\xAA\xAA\xAA\xAA", 12);
      break;
    case kAllocate: {
      std::vector<std::vector<uint8_t>> blocks;
      // Throws when the bound is reached.
      for (int block = 0; block < 256; ++block) blocks.emplace_back(64 << 20, 1);
      send_found(request.sequence, {});
      break;
    }
    case kReach:
      send_found(request.sequence, {reach()});
      break;
    case kAbort:
      std::abort();
    default:
      send_failed(request.sequence, "There is no such trial");
      break;
  }
}

}  // namespace vision
