// A terminal that must not stay in raw modes and on its alternate screen when a signal ends the process.
//
// A signal handler may call few functions and take no lock, so this is C with fixed memory: one terminal, its
// modes, and the bytes that bring its screen back. write and tcsetattr are all that the handler does with
// them.
#ifndef SAFELIGHT_CTERMINAL_H
#define SAFELIGHT_CTERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <termios.h>

// Remembers `modes` of the terminal open as `descriptor`, and installs handlers for the signals that end a
// process. A signal that has a handler keeps it: it is called after the terminal is restored. Ignored signals
// stay ignored. Returns false where a terminal is guarded already.
bool terminal_guard_arm(int descriptor, const struct termios *modes);
// What to write before the modes are restored, at most 256 bytes; none at first.
bool terminal_guard_set_restoring_bytes(const uint8_t *bytes, size_t length);
// Whether a signal has restored the terminal: nothing should be drawn any more.
bool terminal_guard_has_fired(void);
// Takes the handlers out again. To be called before the descriptor is closed.
void terminal_guard_disarm(void);

#endif
