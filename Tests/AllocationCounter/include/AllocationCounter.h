// Counts what threads ask the C library's allocator for: the proof that a frame loop allocates nothing.
//
// The program's own malloc, calloc, realloc, posix_memalign and aligned_alloc take the place of the C
// library's and pass every call on. Each thread counts for itself; those of threads that asked to be counted
// are added up as well.
#ifndef SAFELIGHT_ALLOCATION_COUNTER_H
#define SAFELIGHT_ALLOCATION_COUNTER_H

// Counts the calling thread's allocations from now on, or no longer.
void allocation_counter_count_this_thread(int counts);

// Counts those of every thread of the process from now on, or again of those alone that asked for it.
void allocation_counter_count_all_threads(int counts);

// Allocations of the calling thread so far.
long allocation_counter_of_this_thread(void);

// Allocations counted so far, of all threads that were counted.
long allocation_counter_total(void);

#endif
