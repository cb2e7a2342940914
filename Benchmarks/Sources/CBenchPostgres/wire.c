#include "wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The wire has the highest byte first, and every machine that is measured the lowest.
#define swapped32 __builtin_bswap32
#define swapped64 __builtin_bswap64

void *bench_grow(void *memory, size_t byte_count) {
  void *grown = realloc(memory, byte_count);
  if (grown == NULL) {
    fputs("there is no memory left for the floor\n", stderr);
    exit(70);
  }
  return grown;
}

char *bench_copy(const char *text) { return text == NULL ? NULL : bench_text(text, strlen(text)); }

char *bench_text(const char *bytes, size_t count) {
  char *copy = bench_grow(NULL, count + 1);
  memcpy(copy, bytes, count);
  copy[count] = 0;
  return copy;
}

void bench_put(bench_bytes *out, const void *bytes, size_t count) {
  if (out->count + count > out->capacity) {
    out->capacity = 2 * (out->count + count) + 4096;
    out->bytes = bench_grow(out->bytes, out->capacity);
  }
  memcpy(out->bytes + out->count, bytes, count);
  out->count += count;
}

void bench_put_int32(bench_bytes *out, int32_t value) {
  uint32_t swapped = swapped32((uint32_t)value);
  bench_put(out, &swapped, sizeof swapped);
}

void bench_put_bytes_field(bench_bytes *out, const void *bytes, size_t count) {
  bench_put_int32(out, (int32_t)count);
  bench_put(out, bytes, count);
}

void bench_put_text_field(bench_bytes *out, const char *text) {
  if (text == NULL) {
    bench_put_int32(out, -1);
  } else {
    bench_put_bytes_field(out, text, strlen(text));
  }
}

void bench_put_int_field(bench_bytes *out, int64_t value) {
  uint64_t swapped = swapped64((uint64_t)value);
  bench_put_bytes_field(out, &swapped, sizeof swapped);
}

void bench_put_double_field(bench_bytes *out, double value) {
  int64_t bits;
  memcpy(&bits, &value, sizeof bits);
  bench_put_int_field(out, bits);
}

int64_t bench_get_int(const char *bytes) {
  uint64_t value;
  memcpy(&value, bytes, sizeof value);
  return (int64_t)swapped64(value);
}

double bench_get_double(const char *bytes) {
  int64_t bits = bench_get_int(bytes);
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

void bench_store_identifier(uint8_t identifier[16], uint64_t high, uint64_t low) {
  uint64_t halves[2] = {swapped64(high), swapped64(low)};
  memcpy(identifier, halves, sizeof halves);
}
