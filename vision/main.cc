// safelight-vision: finds codes, faces and text in frames for `safelight`.
//
// The libraries that do it read strangers' pictures and have had holes, so they are in a process of their own
// that can do nothing but answer. It is started by `safelight` with a socket as descriptor 3 and the frames,
// in memory that both share, as descriptor 4.

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <cstring>
#include <exception>
#include <map>
#include <new>

#include "confinement.h"
#include "finders.h"
#include "messages.h"
#include "trials.h"

namespace vision {

namespace {

constexpr int kUsage = 64, kBadConversation = 65;

struct Options {
  bool codes = false, faces = false, text = false, trials = false;
  std::string face_model, language = "eng";
  uint64_t memory = 1024;
};

bool parse(int count, char **arguments, Options *options) {
  for (int index = 1; index < count; ++index) {
    const std::string argument = arguments[index];
    const size_t equals = argument.find('=');
    const std::string name = argument.substr(0, equals);
    const std::string value = equals == std::string::npos ? "" : argument.substr(equals + 1);
    if (name == "--codes") {
      options->codes = true;
    } else if (name == "--faces") {
      options->faces = true;
    } else if (name == "--text") {
      options->text = true;
    } else if (name == "--face-model") {
      options->face_model = value;
    } else if (name == "--language") {
      options->language = value;
    } else if (name == "--memory") {
      options->memory = strtoull(value.c_str(), nullptr, 10);
    } else if (name == "--trials") {
      options->trials = true;
    } else {
      return false;
    }
  }
  return options->memory > 0 && options->memory < (1 << 20);
}

// The memory that frames come in; nothing if it could shrink while it is read.
Frame shared_frames(size_t *size) {
  struct stat status;
  const int seals = fcntl(kFrames, F_GET_SEALS);
  if (fstat(kFrames, &status) != 0 || status.st_size <= 0 || seals < 0 || !(seals & F_SEAL_SHRINK)) return {};
  *size = static_cast<size_t>(status.st_size);
  void *base = mmap(nullptr, *size, PROT_READ, MAP_SHARED, kFrames, 0);
  return {base == MAP_FAILED ? nullptr : static_cast<const uint8_t *>(base), 0, 0, 0};
}

// Whether a request's frame lies within the memory.
bool is_sound(const Request &request, size_t size) {
  if (request.width < 1 || request.height < 1 || request.width > kLongestEdge ||
      request.height > kLongestEdge || request.row_bytes < request.width ||
      request.row_bytes > 2 * kLongestEdge) {
    return false;
  }
  return static_cast<size_t>(request.row_bytes) * (request.height - 1) + request.width <= size;
}

volatile sig_atomic_t seconds_left = 0;

// Ends this process when its time is up, or at once when nobody is left to answer.
void tick(int) {
  const int error = errno;
  char byte;
  const bool is_alone = recv(kSocket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
  seconds_left = seconds_left - 1;
  if (is_alone || seconds_left <= 0) _exit(0);
  errno = error;
}

void prepare_alarm() {
  struct sigaction action = {};
  action.sa_handler = tick;
  action.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &action, nullptr);
}

// Looks every second whether the time is over, with some to spare: the parent ends this before, if there is a
// parent.
void set_alarm(uint32_t milliseconds) {
  seconds_left = static_cast<sig_atomic_t>(milliseconds / 1000 + 3);
  const time_t second = milliseconds == 0 ? 0 : 1;
  const itimerval timer = {{second, 0}, {second, 0}};
  setitimer(ITIMER_REAL, &timer, nullptr);
}

class Worker {
 public:
  explicit Worker(const Options &options) : options_(options) {
    if (options.codes) finders_[Task::codes] = make_code_finder();
    if (options.faces) finders_[Task::faces] = make_face_finder(options.face_model);
    if (options.text) finders_[Task::text] = make_text_finder(options.language);
  }

  int run() {
    size_t size = 0;
    Frame frame = shared_frames(&size);
    if (!frame.base) return kBadConversation;
    for (auto &[task, finder] : finders_) {
      try {
        abilities_[task] = finder->load();
        if (abilities_[task].state == State::ready) warm_up(task, finder.get());
      } catch (const std::exception &error) {
        abilities_[task] = {State::bad_file, error.what()};
      }
    }
    prepare_alarm();
    if (!send_ready(confine())) return 0;
    Request request;
    while (receive(&request)) {
      set_alarm(request.milliseconds);
      if (!answer(request, frame, size)) break;
      set_alarm(0);
    }
    return 0;
  }

 private:
  const Options options_;
  std::map<Task, std::unique_ptr<Finder>> finders_;
  std::map<Task, Ability> abilities_;

  // What libraries open on first use is opened before files are given up.
  static void warm_up(Task task, Finder *finder) {
    std::vector<uint8_t> grey(64 * 64, 128);
    Request request = {};
    request.task = task;
    request.flags = kHarder | kTurned | kSmaller | kPlain | kInverted;
    request.milliseconds = 1000;
    finder->find({grey.data(), 64, 64, 64}, request);
  }

  bool send_ready(const std::vector<std::pair<std::string, std::string>> &measures) {
    Message message;
    message.u32(0);
    message.u8(2);
    message.u16(kVersion);
    message.u8(static_cast<uint8_t>(abilities_.size()));
    for (const auto &[task, ability] : abilities_) {
      message.u8(static_cast<uint8_t>(task));
      message.u8(static_cast<uint8_t>(ability.state));
      message.text(ability.detail);
    }
    message.u8(static_cast<uint8_t>(measures.size()));
    for (const auto &[name, value] : measures) {
      message.text(name);
      message.text(value);
    }
    return message.send();
  }

  bool answer(const Request &request, Frame frame, size_t size) {
    const auto sequence = request.sequence;
    try {
      if (request.task == Task::trial && options_.trials) {
        run_trial(request);
        return true;
      }
      const auto finder = finders_.find(request.task);
      if (finder == finders_.end() || abilities_[request.task].state != State::ready) {
        return send_failed(sequence, "This was not asked for when the worker was started");
      }
      if (!is_sound(request, size)) return send_failed(sequence, "The frame's size is none");
      frame.width = static_cast<int>(request.width);
      frame.height = static_cast<int>(request.height);
      frame.row_bytes = static_cast<int>(request.row_bytes);
      return send_found(sequence, finder->second->find(frame, request));
    } catch (const std::bad_alloc &) {
      return send_failed(sequence, "It took more memory than is allowed");
    } catch (const std::exception &error) {
      return send_failed(sequence, error.what());
    }
  }
};

}  // namespace

}  // namespace vision

int main(int count, char **arguments) {
  vision::Options options;
  struct stat status;
  const bool has_socket = fstat(vision::kSocket, &status) == 0 && S_ISSOCK(status.st_mode);
  if (!vision::parse(count, arguments, &options) || !has_socket) {
    fputs("safelight-vision is started by safelight; see safelight help analyze.\n", stderr);
    return vision::kUsage;
  }
  vision::bound_resources(options.memory << 20);
  // Exceptions of a library must not take long to become the end.
  try {
    return vision::Worker(options).run();
  } catch (const std::exception &) {
    return vision::kBadConversation;
  }
}
