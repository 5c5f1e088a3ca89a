#define _POSIX_C_SOURCE 200809L
#include "include/TemporaryFiles.h"

#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

enum { slot_count = 256, name_capacity = 256 };
enum { slot_free, slot_filling, slot_used };

static struct {
  atomic_int state;
  int folder;
  char name[name_capacity];
} slots[slot_count];

int temporary_files_add(int folder, const char *name) {
  size_t length = strlen(name);
  if (length >= name_capacity) return -1;
  for (int i = 0; i < slot_count; i++) {
    int expected = slot_free;
    if (!atomic_compare_exchange_strong(&slots[i].state, &expected, slot_filling)) continue;
    slots[i].folder = folder;
    memcpy(slots[i].name, name, length + 1);
    atomic_store(&slots[i].state, slot_used);
    return i;
  }
  return -1;
}

void temporary_files_remove(int slot) {
  if (slot >= 0 && slot < slot_count) atomic_store(&slots[slot].state, slot_free);
}

void temporary_files_unlink_all(void) {
  for (int i = 0; i < slot_count; i++) {
    if (atomic_load(&slots[i].state) == slot_used) unlinkat(slots[i].folder, slots[i].name, 0);
  }
}

static void unlink_and_reraise(int signal_number) {
  temporary_files_unlink_all();
  // SA_RESETHAND has restored the default action: raising again ends the process with the right status.
  raise(signal_number);
}

void temporary_files_install_signal_handlers(void) {
  static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
    struct sigaction current;
    if (sigaction(signals[i], NULL, &current) != 0) continue;
    // Under nohup SIGHUP is ignored, and an embedding program may have its own handler: both stay.
    if ((current.sa_flags & SA_SIGINFO) != 0 || current.sa_handler != SIG_DFL) continue;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = unlink_and_reraise;
    action.sa_flags = (int)SA_RESETHAND;
    sigfillset(&action.sa_mask);
    sigaction(signals[i], &action, NULL);
  }
}
