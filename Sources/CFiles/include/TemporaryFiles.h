// Temporary files that must not outlive the process when a signal ends it.
//
// A signal handler may call few functions and take no lock, so this is C with a fixed table: a slot is a
// folder's descriptor and a name, and `unlinkat` is all that the handler does with it.
#ifndef SAFELIGHT_TEMPORARY_FILES_H
#define SAFELIGHT_TEMPORARY_FILES_H

// Remembers `name` in the folder open as `folder`. Returns a slot, or -1 where the table is full or the name
// too long; the file is then merely not removed by a signal.
int temporary_files_add(int folder, const char *name);
// Forgets a slot; -1 is ignored. To be called before the folder's descriptor is closed.
void temporary_files_remove(int slot);
// Unlinks what is remembered. Async-signal-safe.
void temporary_files_unlink_all(void);
// Installs handlers for SIGINT, SIGTERM and SIGHUP that unlink what is remembered and then let the signal end
// the process as it would have. A signal that is ignored or has a handler is left as it is.
void temporary_files_install_signal_handlers(void);

#endif
