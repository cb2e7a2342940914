#include "cipher.h"
#include "samples.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bench_table {
  bench_connection *connection;
  bool is_sealed;
  bench_cipher cipher;
};

/// The number of rows that one transaction of a rotation writes, as Nacre's does.
enum { rotated_at_once = 500 };

// Columns

/// Rows to write, and the table whose cipher seals them.
typedef struct {
  bench_table *table;
  const bench_sample *items;
} source;

static void put(bench_bytes *out, const void *context, size_t row, int column) {
  const source *from = context;
  const bench_sample *sample = &from->items[row];
  if (column < 6) {
    bench_put_sample_field(out, sample, column);
  } else {
    const char *text = column == 6 ? sample->vin : sample->plate;
    bench_put_sealed_field(&from->table->cipher, out, text, column - 6, sample->identifier);
  }
}

static const bench_shape plain = {
  .table = "Sample",
  .column_count = 6,
  .columns = {"objectID", "name", "color", "power", "weight", "year"},
  .types = {"uuid", "text", "text", "bigint", "float8", "bigint"},
  .put = put,
};

static const bench_shape sealed = {
  .table = "SealedSample",
  .column_count = 8,
  .columns = {"objectID", "name", "color", "power", "weight", "year", "vin", "plate"},
  .types = {"uuid", "text", "text", "bigint", "float8", "bigint", "bytea", "bytea"},
  .put = put,
};

static const bench_shape *shape_of(const bench_table *table) { return table->is_sealed ? &sealed : &plain; }

// Statements

/// Prepares a statement in whose text `%s` is the table.
static bool prepare(bench_table *table, const char *name, const char *format) {
  char sql[500];
  snprintf(sql, sizeof sql, format, shape_of(table)->table);
  return bench_prepare(table->connection, name, sql);
}

#define PLAIN_COLUMNS "\"objectID\", \"name\", \"color\", \"power\", \"weight\", \"year\""
#define SEALED_COLUMNS PLAIN_COLUMNS ", \"vin\", \"plate\""

static bool prepare_plain(bench_table *table) {
  return prepare(table, "all", "SELECT " PLAIN_COLUMNS " FROM \"%s\"")
    && prepare(table, "one", "SELECT " PLAIN_COLUMNS " FROM \"%s\" WHERE \"objectID\" = $1")
    && prepare(
      table, "update",
      "UPDATE \"%s\" AS t SET \"power\" = n.v FROM unnest($1::uuid[], $2::bigint[]) AS n(i, v) "
      "WHERE t.\"objectID\" = n.i");
}

static bool prepare_sealed(bench_table *table) {
  return prepare(table, "all", "SELECT " SEALED_COLUMNS " FROM \"%s\"")
    && prepare(table, "one", "SELECT " SEALED_COLUMNS " FROM \"%s\" WHERE \"objectID\" = $1")
    && prepare(
      table, "update",
      "UPDATE \"%s\" AS t SET \"vin\" = n.v FROM unnest($1::uuid[], $2::bytea[]) AS n(i, v) "
      "WHERE t.\"objectID\" = n.i")
    && prepare(
      table, "next",
      "SELECT \"objectID\", \"vin\", \"plate\" FROM \"%s\" WHERE \"objectID\" > $1 "
      "ORDER BY \"objectID\" LIMIT 500")
    && prepare(
      table, "reseal",
      "UPDATE \"%s\" AS t SET \"vin\" = n.v, \"plate\" = n.p "
      "FROM unnest($1::uuid[], $2::bytea[], $3::bytea[]) AS n(i, v, p) WHERE t.\"objectID\" = n.i");
}

bench_table *bench_table_open(bench_connection *connection, bool is_sealed) {
  bench_table *table = bench_grow(NULL, sizeof *table);
  table->connection = connection;
  table->is_sealed = is_sealed;
  bool is_good = bench_cipher_start(&table->cipher) || bench_fail(connection, "libcrypto has no AES-256-GCM");
  is_good = is_good && (is_sealed ? prepare_sealed(table) : prepare_plain(table))
    && prepare(table, "delete", "DELETE FROM \"%s\" WHERE \"objectID\" = ANY($1::uuid[])")
    && bench_prepare_insert(connection, shape_of(table))
    && bench_prepare(connection, "begin", "BEGIN") && bench_prepare(connection, "commit", "COMMIT");
  if (is_good) return table;
  bench_table_close(table);
  return NULL;
}

void bench_table_close(bench_table *table) {
  bench_cipher_end(&table->cipher);
  free(table);
}

// Inserts

bool bench_table_insert(bench_table *table, const bench_samples *samples, bench_insertion insertion) {
  source from = {table, samples->items};
  return bench_execute(table->connection, "BEGIN")
    && bench_insert(table->connection, shape_of(table), &from, samples->count, insertion)
    && bench_execute(table->connection, "COMMIT");
}

bool bench_table_save(bench_table *table, const bench_sample *sample) {
  bench_connection *connection = table->connection;
  source from = {table, sample};
  bool is_good = PQenterPipelineMode(connection->handle) == 1 && bench_send(connection, "begin", NULL)
    && bench_send_insert(connection, shape_of(table), &from, 0) && bench_send(connection, "commit", NULL)
    && bench_finish(connection);
  return PQexitPipelineMode(connection->handle) == 1 && is_good;
}

// Fetches

/// Where rows go that are read.
typedef struct {
  bench_table *table;
  bench_samples *samples;
} target;

static bool take(void *context, const PGresult *row) {
  target *to = context;
  bench_sample *sample = bench_next_sample(to->samples);
  if (!bench_read_sample(sample, row, 0)) return false;
  if (!to->table->is_sealed) return true;
  bench_cipher *cipher = &to->table->cipher;
  sample->vin = bench_open_text(
    cipher, PQgetvalue(row, 0, 6), (size_t)PQgetlength(row, 0, 6), 0, sample->identifier);
  sample->plate = bench_open_text(
    cipher, PQgetvalue(row, 0, 7), (size_t)PQgetlength(row, 0, 7), 1, sample->identifier);
  return sample->vin != NULL && sample->plate != NULL;
}

bool bench_table_fetch_all(bench_table *table, bench_samples *samples) {
  target to = {table, samples};
  return bench_each_row(table->connection, "all", NULL, take, &to);
}

bool bench_table_fetch(bench_table *table, uint64_t high, uint64_t low, bench_samples *samples) {
  uint8_t identifier[16];
  char field[20];
  bench_parameters parameters = {.bytes = {field, 0, sizeof field}};
  bench_store_identifier(identifier, high, low);
  bench_start_value(&parameters);
  bench_put_bytes_field(&parameters.bytes, identifier, sizeof identifier);
  PGresult *result = bench_query(table->connection, "one", &parameters);
  if (result == NULL) return false;
  target to = {table, samples};
  bool is_good = PQntuples(result) == 0 || take(&to, result);
  PQclear(result);
  return is_good || bench_fail(table->connection, "a row is not as it should be");
}

// Changes

static void put_identifiers(bench_parameters *parameters, const bench_sample *items, size_t count) {
  bench_clear(parameters);
  bench_start_array(parameters, "uuid", count);
  for (size_t row = 0; row < count; row++) {
    bench_put_bytes_field(&parameters->bytes, items[row].identifier, 16);
  }
}

static void change(bench_table *table, bench_parameters *parameters, bench_sample *items, size_t count) {
  bench_start_array(parameters, table->is_sealed ? "bytea" : "bigint", count);
  for (size_t row = 0; row < count; row++) {
    bench_sample *sample = &items[row];
    if (table->is_sealed) {
      char *former = sample->vin;
      sample->vin = sample->next_vin;
      sample->next_vin = former;
      bench_put_sealed_field(&table->cipher, &parameters->bytes, sample->vin, 0, sample->identifier);
    } else {
      sample->power += 1;
      bench_put_int_field(&parameters->bytes, sample->power);
    }
  }
}

bool bench_table_update(bench_table *table, bench_samples *samples) {
  bench_parameters parameters = {0};
  bool is_good = bench_execute(table->connection, "BEGIN");
  for (size_t start = 0; is_good && start < samples->count; start += BENCH_BATCH) {
    size_t count = samples->count - start < BENCH_BATCH ? samples->count - start : BENCH_BATCH;
    put_identifiers(&parameters, samples->items + start, count);
    change(table, &parameters, samples->items + start, count);
    is_good = bench_run(table->connection, "update", &parameters);
  }
  bench_parameters_free(&parameters);
  return is_good && bench_execute(table->connection, "COMMIT");
}

bool bench_table_delete(bench_table *table, const bench_samples *samples) {
  bench_parameters parameters = {0};
  bool is_good = bench_execute(table->connection, "BEGIN");
  for (size_t start = 0; is_good && start < samples->count; start += BENCH_BATCH) {
    size_t count = samples->count - start < BENCH_BATCH ? samples->count - start : BENCH_BATCH;
    put_identifiers(&parameters, samples->items + start, count);
    is_good = bench_run(table->connection, "delete", &parameters);
  }
  bench_parameters_free(&parameters);
  return is_good && bench_execute(table->connection, "COMMIT");
}

// Rotation

/// Puts an array of a column's envelopes, each opened and sealed anew.
static bool reseal(
  bench_table *table, bench_cipher *next, const PGresult *rows, int property, bench_parameters *parameters
) {
  bench_start_array(parameters, "bytea", (size_t)PQntuples(rows));
  for (int row = 0; row < PQntuples(rows); row++) {
    const uint8_t *identifier = (const uint8_t *)PQgetvalue(rows, row, 0);
    char *text = bench_open_text(
      &table->cipher, PQgetvalue(rows, row, property + 1), (size_t)PQgetlength(rows, row, property + 1), property,
      identifier);
    if (text == NULL) return bench_fail(table->connection, "an envelope does not open");
    bench_put_sealed_field(next, &parameters->bytes, text, property, identifier);
    free(text);
  }
  return true;
}

/// Rotates the rows after a cursor, in one transaction, and moves the cursor; sets whether none is left.
static bool rotate_batch(
  bench_table *table, bench_cipher *next, uint8_t cursor[16], bool *is_done, bench_parameters *parameters
) {
  bench_connection *connection = table->connection;
  bench_clear(parameters);
  bench_start_value(parameters);
  bench_put_bytes_field(&parameters->bytes, cursor, 16);
  if (!bench_execute(connection, "BEGIN")) return false;
  PGresult *rows = bench_query(connection, "next", parameters);
  if (rows == NULL) return false;
  int count = PQntuples(rows);
  bool is_good = true;
  if (count > 0) {
    bench_clear(parameters);
    bench_start_array(parameters, "uuid", (size_t)count);
    for (int row = 0; row < count; row++) {
      bench_put_bytes_field(&parameters->bytes, PQgetvalue(rows, row, 0), 16);
    }
    is_good = reseal(table, next, rows, 0, parameters) && reseal(table, next, rows, 1, parameters)
      && bench_run(connection, "reseal", parameters)
      && bench_read_identifier(cursor, rows, count - 1, 0);
  }
  PQclear(rows);
  *is_done = count < rotated_at_once;
  return is_good && bench_execute(connection, "COMMIT");
}

bool bench_table_rotate(bench_table *table) {
  bench_cipher next;
  if (!bench_cipher_start(&next)) return bench_fail(table->connection, "libcrypto has no AES-256-GCM");
  bench_parameters parameters = {0};
  uint8_t cursor[16] = {0};
  bool is_done = false, is_good = true;
  while (is_good && !is_done) is_good = rotate_batch(table, &next, cursor, &is_done, &parameters);
  bench_parameters_free(&parameters);
  bench_cipher_end(is_good ? &table->cipher : &next);
  if (is_good) table->cipher = next;
  return is_good;
}
