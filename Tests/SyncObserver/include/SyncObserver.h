// Watches fsync: the proof that a file is on the disk before it gets its name.
//
// The program's own fsync takes the place of the C library's. It tells the observer of the calling thread, if
// there is one, and then does what the C library's does.
#ifndef SAFELIGHT_SYNC_OBSERVER_H
#define SAFELIGHT_SYNC_OBSERVER_H

// Told ahead of the call which file is to be written to the disk. Returns 0 to let the call go on, or an
// errno with which it then fails.
typedef int (*sync_observer)(int descriptor, void *context);

// Sets the observer of the calling thread; NULL ends watching.
void sync_observer_set(sync_observer observer, void *context);

#endif
