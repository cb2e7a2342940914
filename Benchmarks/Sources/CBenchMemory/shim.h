#pragma once

#include <stdlib.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

/// Gives freed memory back to the kernel, where the C library can.
static inline void bench_release_free_memory(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}
