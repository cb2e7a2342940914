#include "connection.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Parameters

static bench_parameters none;

void bench_start_value(bench_parameters *parameters) {
  parameters->starts[parameters->count] = parameters->bytes.count;
  parameters->is_field[parameters->count++] = true;
}

/// The numbers that the server has for types (pg_type.dat).
static int32_t number_of(const char *type) {
  if (strcmp(type, "uuid") == 0) return 2950;
  if (strcmp(type, "text") == 0) return 25;
  if (strcmp(type, "bigint") == 0) return 20;
  if (strcmp(type, "float8") == 0) return 701;
  return 17;  // bytea
}

void bench_start_array(bench_parameters *parameters, const char *type, size_t count) {
  bench_start_value(parameters);
  parameters->is_field[parameters->count - 1] = false;
  // One dimension, the server looks for NULL itself, and the first element is number 1.
  bench_put_int32(&parameters->bytes, 1);
  bench_put_int32(&parameters->bytes, 0);
  bench_put_int32(&parameters->bytes, number_of(type));
  bench_put_int32(&parameters->bytes, (int32_t)count);
  bench_put_int32(&parameters->bytes, 1);
}

void bench_clear(bench_parameters *parameters) { parameters->count = 0, parameters->bytes.count = 0; }

void bench_parameters_free(bench_parameters *parameters) { free(parameters->bytes.bytes); }

/// Where libpq finds the parameters.
typedef struct {
  const char *values[BENCH_MAX_COLUMNS];
  int lengths[BENCH_MAX_COLUMNS];
  int formats[BENCH_MAX_COLUMNS];
} places;

static places places_of(const bench_parameters *parameters) {
  places places;
  for (int index = 0; index < parameters->count; index++) {
    size_t start = parameters->starts[index];
    size_t end = index + 1 < parameters->count ? parameters->starts[index + 1] : parameters->bytes.count;
    const char *bytes = parameters->bytes.bytes;
    // The length of NULL, -1, begins with a bit that no other length has.
    bool is_null = parameters->is_field[index] && (bytes[start] & 0x80);
    if (parameters->is_field[index]) start += 4;
    places.values[index] = is_null ? NULL : bytes + start;
    places.lengths[index] = (int)(end - start);
    places.formats[index] = 1;
  }
  return places;
}

// Connections

bench_connection *bench_connection_open(const char *url) {
  bench_connection *connection = bench_grow(NULL, sizeof *connection);
  connection->error[0] = 0;
  connection->handle = PQconnectdb(url);
  if (PQstatus(connection->handle) != CONNECTION_OK) bench_fail(connection, PQerrorMessage(connection->handle));
  return connection;
}

void bench_connection_close(bench_connection *connection) {
  PQfinish(connection->handle);
  free(connection);
}

const char *bench_error(const bench_connection *connection) { return connection->error; }

bool bench_fail(bench_connection *connection, const char *message) {
  snprintf(connection->error, sizeof connection->error, "%s", message);
  return false;
}

static bool fail(bench_connection *connection) {
  return bench_fail(connection, PQerrorMessage(connection->handle));
}

/// Ends a result; returns whether it is of a statement that has run.
static bool end(bench_connection *connection, PGresult *result) {
  ExecStatusType status = PQresultStatus(result);
  bool is_good = status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
  if (!is_good) bench_fail(connection, PQresultErrorMessage(result));
  PQclear(result);
  return is_good;
}

bool bench_execute(bench_connection *connection, const char *sql) {
  return end(connection, PQexec(connection->handle, sql));
}

bool bench_prepare(bench_connection *connection, const char *name, const char *sql) {
  return end(connection, PQprepare(connection->handle, name, sql, 0, NULL));
}

PGresult *bench_query(bench_connection *connection, const char *name, const bench_parameters *parameters) {
  places places = places_of(parameters);
  PGresult *result = PQexecPrepared(
    connection->handle, name, parameters->count, places.values, places.lengths, places.formats, 1);
  if (PQresultStatus(result) == PGRES_TUPLES_OK) return result;
  end(connection, result);
  return NULL;
}

bool bench_run(bench_connection *connection, const char *name, const bench_parameters *parameters) {
  places places = places_of(parameters);
  return end(
    connection,
    PQexecPrepared(connection->handle, name, parameters->count, places.values, places.lengths, places.formats, 1));
}

bool bench_send(bench_connection *connection, const char *name, const bench_parameters *parameters) {
  const bench_parameters *given = parameters == NULL ? &none : parameters;
  places places = places_of(given);
  int sent = PQsendQueryPrepared(
    connection->handle, name, given->count, places.values, places.lengths, places.formats, 1);
  return sent == 1 || fail(connection);
}

bool bench_finish(bench_connection *connection) {
  if (PQpipelineSync(connection->handle) != 1) return fail(connection);
  bool is_good = true;
  while (true) {
    PGresult *result = PQgetResult(connection->handle);
    if (result == NULL) {
      // The end of one statement's results, unless the connection is lost.
      if (PQstatus(connection->handle) == CONNECTION_BAD) return fail(connection);
    } else if (PQresultStatus(result) == PGRES_PIPELINE_SYNC) {
      PQclear(result);
      return is_good;
    } else if (!end(connection, result)) {
      is_good = false;
    }
  }
}

bool bench_each_row(
  bench_connection *connection, const char *name, const bench_parameters *parameters, bench_take take, void *context
) {
  if (!bench_send(connection, name, parameters)) return false;
  if (PQsetSingleRowMode(connection->handle) != 1) return fail(connection);
  bool is_good = true;
  PGresult *result;
  while ((result = PQgetResult(connection->handle)) != NULL) {
    if (PQresultStatus(result) != PGRES_SINGLE_TUPLE) {
      is_good = end(connection, result) && is_good;
      continue;
    }
    if (is_good && !take(context, result)) is_good = bench_fail(connection, "a row is not as it should be");
    PQclear(result);
  }
  return is_good;
}
