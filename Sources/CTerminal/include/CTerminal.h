// Prevents a terminal from staying in raw modes and on its alternate screen when a signal ends the process.
//
// A signal handler may call only a few functions and take no lock, so this is C with fixed memory: one
// terminal, its modes, and the bytes that restore its screen. The handler uses only write and tcsetattr on
// them.
#ifndef SAFELIGHT_CTERMINAL_H
#define SAFELIGHT_CTERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <termios.h>

// Remembers `modes` of the terminal open as `descriptor`, and installs handlers for the signals that end a
// process. An existing handler is kept and called after the terminal is restored. Ignored signals stay
// ignored. Returns false if a terminal is already guarded.
bool terminal_guard_arm(int descriptor, const struct termios *modes);
// Sets what to write before the modes are restored, at most 256 bytes; nothing by default.
bool terminal_guard_set_restoring_bytes(const uint8_t *bytes, size_t length);
// Whether a signal has restored the terminal, after which nothing should be drawn.
bool terminal_guard_has_fired(void);
// Removes the handlers. Call before the descriptor is closed.
void terminal_guard_disarm(void);

#endif
