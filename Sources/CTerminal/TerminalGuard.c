#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "include/CTerminal.h"

static const int signals[] = {SIGINT, SIGTERM, SIGHUP,  SIGQUIT, SIGSEGV,
                              SIGBUS, SIGILL,  SIGTRAP, SIGABRT, SIGFPE};
enum { signal_count = sizeof signals / sizeof *signals, bytes_capacity = 256 };
enum { guard_idle, guard_armed, guard_fired };

static struct {
  atomic_int state;
  int descriptor;
  struct termios modes;
  uint8_t bytes[bytes_capacity];
  // Written last and read first: the handler sees either none or all of the bytes.
  atomic_size_t length;
  struct sigaction previous[signal_count];
  bool installed[signal_count];
} guard;

static void restore_terminal(void) {
  int armed = guard_armed;
  if (!atomic_compare_exchange_strong(&guard.state, &armed, guard_fired)) return;
  size_t length = atomic_load(&guard.length);
  for (size_t done = 0; done < length;) {
    ssize_t written = write(guard.descriptor, guard.bytes + done, length - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) break;
    done += (size_t)written;
  }
  tcsetattr(guard.descriptor, TCSANOW, &guard.modes);
}

static void restore_and_pass_on(int number) {
  int saved_errno = errno;
  restore_terminal();
  for (int i = 0; i < signal_count; i++) {
    if (signals[i] == number) sigaction(number, &guard.previous[i], NULL);
  }
  // Blocked until this handler returns; then whoever was there before gets it.
  raise(number);
  errno = saved_errno;
}

bool terminal_guard_arm(int descriptor, const struct termios *modes) {
  if (atomic_load(&guard.state) == guard_armed) return false;
  guard.descriptor = descriptor;
  guard.modes = *modes;
  atomic_store(&guard.length, 0);
  atomic_store(&guard.state, guard_armed);
  for (int i = 0; i < signal_count; i++) {
    guard.installed[i] = false;
    struct sigaction current;
    if (sigaction(signals[i], NULL, &current) != 0) continue;
    if ((current.sa_flags & SA_SIGINFO) == 0 && current.sa_handler == SIG_IGN) continue;
    guard.previous[i] = current;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = restore_and_pass_on;
    sigfillset(&action.sa_mask);
    guard.installed[i] = sigaction(signals[i], &action, NULL) == 0;
  }
  return true;
}

bool terminal_guard_set_restoring_bytes(const uint8_t *bytes, size_t length) {
  if (length > bytes_capacity) return false;
  atomic_store(&guard.length, 0);
  memcpy(guard.bytes, bytes, length);
  atomic_store(&guard.length, length);
  return true;
}

bool terminal_guard_has_fired(void) { return atomic_load(&guard.state) == guard_fired; }

void terminal_guard_disarm(void) {
  for (int i = 0; i < signal_count; i++) {
    if (!guard.installed[i]) continue;
    guard.installed[i] = false;
    struct sigaction current;
    // Whoever has taken the signal since keeps it.
    if (sigaction(signals[i], NULL, &current) != 0 || current.sa_handler != restore_and_pass_on) continue;
    sigaction(signals[i], &guard.previous[i], NULL);
  }
  atomic_store(&guard.state, guard_idle);
}
