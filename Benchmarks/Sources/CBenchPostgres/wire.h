#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Values in the binary form of the server's types.

/// Bytes that grow.
typedef struct {
  char *bytes;
  size_t count;
  size_t capacity;
} bench_bytes;

/// Returns memory; ends the program where there is none.
void *bench_grow(void *memory, size_t byte_count);
/// Returns a copy of a text, or NULL for NULL.
char *bench_copy(const char *text);
/// Returns a copy of bytes as a text.
char *bench_text(const char *bytes, size_t count);

void bench_put(bench_bytes *out, const void *bytes, size_t count);
void bench_put_int32(bench_bytes *out, int32_t value);

// A field is a value after its length, as elements of arrays have it; the length of NULL is -1.
void bench_put_bytes_field(bench_bytes *out, const void *bytes, size_t count);
void bench_put_text_field(bench_bytes *out, const char *text);
void bench_put_int_field(bench_bytes *out, int64_t value);
void bench_put_double_field(bench_bytes *out, double value);

int64_t bench_get_int(const char *bytes);
double bench_get_double(const char *bytes);

/// Stores the two halves of an identifier.
void bench_store_identifier(uint8_t identifier[16], uint64_t high, uint64_t low);
