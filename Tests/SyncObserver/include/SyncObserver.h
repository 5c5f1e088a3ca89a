// Watches fsync and fdatasync: the proof that what must survive a power cut was on the disk in time.
//
// The program's own functions take the place of the C library's. They remember what was synced and tell the
// observer of the calling thread, if there is one; then they do what the C library's do.
#ifndef SAFELIGHT_SYNC_OBSERVER_H
#define SAFELIGHT_SYNC_OBSERVER_H

// Told ahead of the call which file is to be written to the disk. Returns 0 to let the call go on, or an
// errno with which it then fails.
typedef int (*sync_observer)(int descriptor, void *context);

// Sets the observer of the calling thread; NULL ends watching.
void sync_observer_set(sync_observer observer, void *context);

// How many bytes the file had when it was last synced, by any thread of the process; -1 where it was not, or
// where many others were since.
long sync_observer_synced_bytes(const char *path);

#endif
