// Watches fsync and fdatasync, to prove that what must survive a power cut was on the disk in time.
//
// The program's own functions replace the C library's. They record what was synced, notify the observer of
// the calling thread, if there is one, and then do the same as the C library's.
#ifndef SAFELIGHT_SYNC_OBSERVER_H
#define SAFELIGHT_SYNC_OBSERVER_H

// Called before a file is synced. Returns 0 to let the call continue, or an errno with which it then fails.
typedef int (*sync_observer)(int descriptor, void *context);

// Sets the observer of the calling thread; NULL removes it.
void sync_observer_set(sync_observer observer, void *context);

// The size in bytes of the file when it was last synced, by any thread of the process; -1 if it was not, or
// if many other files were synced since.
long sync_observer_synced_bytes(const char *path);

#endif
