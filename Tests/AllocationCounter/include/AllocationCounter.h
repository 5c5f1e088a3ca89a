// Counts the requests of threads to the C library's allocator, to prove that a frame loop allocates nothing.
//
// The program's own malloc, calloc, realloc, posix_memalign and aligned_alloc replace the C library's and
// forward every call. Each thread has its own count; there is also the sum for the threads that asked to be
// counted.
#ifndef SAFELIGHT_ALLOCATION_COUNTER_H
#define SAFELIGHT_ALLOCATION_COUNTER_H

// Starts or stops counting the calling thread's allocations.
void allocation_counter_count_this_thread(int counts);

// Counts the allocations of every thread of the process from now on, or again only those of threads that
// asked for it.
void allocation_counter_count_all_threads(int counts);

// The allocations of the calling thread so far.
long allocation_counter_of_this_thread(void);

// The allocations so far of all threads that were counted.
long allocation_counter_total(void);

#endif
