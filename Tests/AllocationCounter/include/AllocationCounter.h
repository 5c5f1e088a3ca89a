// Counts what threads ask the C library's allocator for: the proof that a frame loop allocates nothing.
//
// The program's own malloc, calloc, realloc, posix_memalign and aligned_alloc take the place of the C library's and
// pass every call on. They count on threads that asked to be counted; on all others they only look at a flag.
#ifndef SAFELIGHT_ALLOCATION_COUNTER_H
#define SAFELIGHT_ALLOCATION_COUNTER_H

// Counts the calling thread's allocations from now on, or no longer.
void allocation_counter_count_this_thread(int counts);

// Allocations counted so far, of all threads.
long allocation_counter_total(void);

#endif
