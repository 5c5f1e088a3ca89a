#include "AllocationCounter.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_long total;
static atomic_int all_counted;
static _Thread_local int counted;
static _Thread_local long own;

void allocation_counter_count_this_thread(int counts) { counted = counts; }

void allocation_counter_count_all_threads(int counts) { atomic_store(&all_counted, counts); }

long allocation_counter_of_this_thread(void) { return own; }

long allocation_counter_total(void) { return atomic_load(&total); }

#if defined(__GLIBC__)
// The C library's own functions under their other names.
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static void count(void) {
  own++;
  if (counted || atomic_load_explicit(&all_counted, memory_order_relaxed))
    atomic_fetch_add_explicit(&total, 1, memory_order_relaxed);
}

void *malloc(size_t size) {
  count();
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count();
  return __libc_calloc(number, size);
}

void *realloc(void *old, size_t size) {
  count();
  return __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count();
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **pointer, size_t alignment, size_t size) {
  count();
  // As POSIX requires: a power of two, at least the size of a pointer.
  if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0) return EINVAL;
  void *memory = __libc_memalign(alignment, size);
  if (memory == NULL) return ENOMEM;
  *pointer = memory;
  return 0;
}
#endif
