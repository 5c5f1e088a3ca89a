// Removes temporary files when a signal ends the process.
//
// A signal handler may call only a few functions and take no lock, so this is C with a fixed table: a slot is
// a folder's descriptor and a name, and the handler calls only `unlinkat` on it.
#ifndef SAFELIGHT_TEMPORARY_FILES_H
#define SAFELIGHT_TEMPORARY_FILES_H

// Remembers `name` in the folder open as `folder`. Returns a slot, or -1 if the table is full or the name is
// too long; a signal then does not remove the file.
int temporary_files_add(int folder, const char *name);
// Forgets a slot; -1 is ignored. Call before the folder's descriptor is closed.
void temporary_files_remove(int slot);
// Unlinks all remembered files. Async-signal-safe.
void temporary_files_unlink_all(void);
// Installs handlers for SIGINT, SIGTERM and SIGHUP that unlink all remembered files and then let the signal
// end the process as usual. Signals already ignored or handled are left alone.
void temporary_files_install_signal_handlers(void);

#endif
