#pragma once

#include "connection.h"

/// The columns of a table, and what puts a value of a row as a field.
typedef struct {
  const char *table;
  int column_count;
  const char *columns[BENCH_MAX_COLUMNS];
  const char *types[BENCH_MAX_COLUMNS];
  void (*put)(bench_bytes *out, const void *context, size_t row, int column);
} bench_shape;

/// The number of rows that one statement inserts, updates or deletes, or that one pipeline sends.
#define BENCH_BATCH 1000

/// Prepares the statements that insert a row and many rows.
bool bench_prepare_insert(bench_connection *connection, const bench_shape *shape);
/// Inserts rows in the transaction that is open.
bool bench_insert(
  bench_connection *connection, const bench_shape *shape, const void *context, size_t count, bench_insertion insertion);
/// Sends the statement that inserts a row, in pipeline mode.
bool bench_send_insert(bench_connection *connection, const bench_shape *shape, const void *context, size_t row);
