#pragma once

#include "rows.h"

/// Returns the items of a list, moved if there was no room for one more.
void *bench_make_room(void *items, size_t count, size_t *capacity, size_t item_byte_count);
/// Adds an empty row to a list.
bench_sample *bench_next_sample(bench_samples *samples);
/// Puts one of the six columns that every sample and every car has, of which the first is the identifier.
void bench_put_sample_field(bench_bytes *out, const bench_sample *sample, int column);
/// Reads the same six columns; returns false if they are not as they should be.
bool bench_read_sample(bench_sample *sample, const PGresult *result, int row);
/// Returns a copy of a text in a result; NULL for NULL.
char *bench_read_text(const PGresult *result, int row, int column);
/// Reads an identifier.
bool bench_read_identifier(uint8_t identifier[16], const PGresult *result, int row, int column);
void bench_sample_free(bench_sample *sample);
