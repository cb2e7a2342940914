#include "rows.h"

#include <stdio.h>
#include <string.h>

/// The name of a prepared statement.
typedef struct {
  char text[80];
} name;

static name name_of(const bench_shape *shape, const char *kind) {
  name name;
  snprintf(name.text, sizeof name.text, "%s %s", shape->table, kind);
  return name;
}

static void append(char *text, size_t size, const char *more) {
  size_t count = strlen(text);
  snprintf(text + count, size - count, "%s", more);
}

bool bench_prepare_insert(bench_connection *connection, const bench_shape *shape) {
  char columns[500] = "", values[500] = "", arrays[500] = "", sql[1600];
  for (int index = 0; index < shape->column_count; index++) {
    char piece[80];
    const char *comma = index == 0 ? "" : ", ";
    snprintf(piece, sizeof piece, "%s\"%s\"", comma, shape->columns[index]);
    append(columns, sizeof columns, piece);
    snprintf(piece, sizeof piece, "%s$%d", comma, index + 1);
    append(values, sizeof values, piece);
    snprintf(piece, sizeof piece, "%s$%d::%s[]", comma, index + 1, shape->types[index]);
    append(arrays, sizeof arrays, piece);
  }
  snprintf(sql, sizeof sql, "INSERT INTO \"%s\" (%s) VALUES (%s)", shape->table, columns, values);
  if (!bench_prepare(connection, name_of(shape, "row").text, sql)) return false;
  snprintf(sql, sizeof sql, "INSERT INTO \"%s\" (%s) SELECT * FROM unnest(%s)", shape->table, columns, arrays);
  return bench_prepare(connection, name_of(shape, "rows").text, sql);
}

static void put_row(bench_parameters *parameters, const bench_shape *shape, const void *context, size_t row) {
  bench_clear(parameters);
  for (int column = 0; column < shape->column_count; column++) {
    bench_start_value(parameters);
    shape->put(&parameters->bytes, context, row, column);
  }
}

static bool insert_by_unnest(
  bench_connection *connection, const bench_shape *shape, const void *context, size_t count,
  bench_parameters *parameters
) {
  name name = name_of(shape, "rows");
  for (size_t start = 0; start < count; start += BENCH_BATCH) {
    size_t end = start + BENCH_BATCH < count ? start + BENCH_BATCH : count;
    bench_clear(parameters);
    for (int column = 0; column < shape->column_count; column++) {
      bench_start_array(parameters, shape->types[column], end - start);
      for (size_t row = start; row < end; row++) shape->put(&parameters->bytes, context, row, column);
    }
    if (!bench_run(connection, name.text, parameters)) return false;
  }
  return true;
}

static bool insert_in_pipeline(
  bench_connection *connection, const bench_shape *shape, const void *context, size_t count,
  bench_parameters *parameters
) {
  name name = name_of(shape, "row");
  bool is_good = PQenterPipelineMode(connection->handle) == 1;
  for (size_t start = 0; is_good && start < count; start += BENCH_BATCH) {
    for (size_t row = start; is_good && row < start + BENCH_BATCH && row < count; row++) {
      put_row(parameters, shape, context, row);
      is_good = bench_send(connection, name.text, parameters);
    }
    is_good = is_good && bench_finish(connection);
  }
  return PQexitPipelineMode(connection->handle) == 1 && is_good;
}

static bool insert_one_by_one(
  bench_connection *connection, const bench_shape *shape, const void *context, size_t count,
  bench_parameters *parameters
) {
  name name = name_of(shape, "row");
  for (size_t row = 0; row < count; row++) {
    put_row(parameters, shape, context, row);
    if (!bench_run(connection, name.text, parameters)) return false;
  }
  return true;
}

bool bench_insert(
  bench_connection *connection, const bench_shape *shape, const void *context, size_t count, bench_insertion insertion
) {
  bench_parameters parameters = {0};
  bool is_good = false;
  switch (insertion) {
  case BENCH_UNNEST: is_good = insert_by_unnest(connection, shape, context, count, &parameters); break;
  case BENCH_PIPELINE: is_good = insert_in_pipeline(connection, shape, context, count, &parameters); break;
  case BENCH_ONE_BY_ONE: is_good = insert_one_by_one(connection, shape, context, count, &parameters); break;
  }
  bench_parameters_free(&parameters);
  return is_good;
}

bool bench_send_insert(bench_connection *connection, const bench_shape *shape, const void *context, size_t row) {
  bench_parameters parameters = {0};
  put_row(&parameters, shape, context, row);
  bool is_good = bench_send(connection, name_of(shape, "row").text, &parameters);
  bench_parameters_free(&parameters);
  return is_good;
}
