#pragma once

#include "CBenchPostgres.h"
#include "wire.h"

#include <libpq-fe.h>

/// The largest number of columns that a statement binds.
#define BENCH_MAX_COLUMNS 8

struct bench_connection {
  PGconn *handle;
  char error[400];
};

/// The parameters of a statement, one after another.
typedef struct {
  bench_bytes bytes;
  size_t starts[BENCH_MAX_COLUMNS];
  /// Whether the parameter is a field, whose length stands before it.
  bool is_field[BENCH_MAX_COLUMNS];
  int count;
} bench_parameters;

/// Starts the next parameter, which is a single value, put as a field.
void bench_start_value(bench_parameters *parameters);
/// Starts the next parameter, an array of a type's values, which are put as fields after it.
void bench_start_array(bench_parameters *parameters, const char *type, size_t count);
/// Leaves out all parameters and keeps the memory.
void bench_clear(bench_parameters *parameters);
void bench_parameters_free(bench_parameters *parameters);

/// Notes an error and returns false.
bool bench_fail(bench_connection *connection, const char *message);
bool bench_prepare(bench_connection *connection, const char *name, const char *sql);
/// Runs a prepared statement; NULL for an error.
PGresult *bench_query(bench_connection *connection, const char *name, const bench_parameters *parameters);
/// Runs a prepared statement that gives no rows.
bool bench_run(bench_connection *connection, const char *name, const bench_parameters *parameters);
/// Sends a prepared statement and waits for no answer.
bool bench_send(bench_connection *connection, const char *name, const bench_parameters *parameters);
/// Ends what was sent, in pipeline mode, and reads all answers.
bool bench_finish(bench_connection *connection);

/// Takes a row; returns false for one that is not as it should be.
typedef bool (*bench_take)(void *context, const PGresult *row);

/// Runs a prepared statement in single-row mode.
bool bench_each_row(
  bench_connection *connection, const char *name, const bench_parameters *parameters, bench_take take, void *context);
