#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The floor of the second engine: the benchmark's works as loops over libpq and libcrypto, and nothing else. Each
// function that returns a bool returns false for an error, whose text `bench_error` has.

/// A connection to a server, and what it said about the last call that failed.
typedef struct bench_connection bench_connection;

/// Returns a connection; `bench_error` says whether it is open.
bench_connection *bench_connection_open(const char *url);
void bench_connection_close(bench_connection *connection);
/// Returns the last error, or an empty text.
const char *bench_error(const bench_connection *connection);
/// Runs SQL text.
bool bench_execute(bench_connection *connection, const char *sql);

// Samples

/// One row of five columns, or of seven where two are sealed. A text is allocated; NULL is NULL.
typedef struct {
  uint8_t identifier[16];
  char *name;
  char *color;
  int64_t power;
  double weight;
  int64_t year;
  char *vin;
  char *plate;
  /// What an update sets `vin` to.
  char *next_vin;
} bench_sample;

/// A list that grows.
typedef struct {
  bench_sample *items;
  size_t count;
  size_t capacity;
} bench_samples;

/// Adds a copy of a row; the texts of sealed columns may be NULL.
void bench_samples_add(
  bench_samples *samples, uint64_t high, uint64_t low, const char *name, const char *color, int64_t power,
  double weight, int64_t year, const char *vin, const char *plate, const char *next_vin);
void bench_samples_free(bench_samples *samples);

/// How rows are inserted.
typedef enum {
  /// 1,000 rows a statement, as one array for each column.
  BENCH_UNNEST,
  /// A prepared statement a row, 1,000 sent before the answers are read.
  BENCH_PIPELINE,
  /// A prepared statement a row, each answered before the next one.
  BENCH_ONE_BY_ONE,
} bench_insertion;

/// A connection with the statements of a table of samples.
typedef struct bench_table bench_table;

/// Prepares the statements of the table `Sample`, or `SealedSample` with two sealed columns; NULL for an error.
bench_table *bench_table_open(bench_connection *connection, bool is_sealed);
void bench_table_close(bench_table *table);
/// Inserts rows in one transaction.
bool bench_table_insert(bench_table *table, const bench_samples *samples, bench_insertion insertion);
/// Inserts one row in a transaction of its own, whose three statements are sent together.
bool bench_table_save(bench_table *table, const bench_sample *sample);
/// Adds all rows to a list.
bool bench_table_fetch_all(bench_table *table, bench_samples *samples);
/// Adds the row with an identifier to a list, if there is one.
bool bench_table_fetch(bench_table *table, uint64_t high, uint64_t low, bench_samples *samples);
/// Adds 1 to each power, or sets each `vin` to the next one where it is sealed, in one transaction, 1,000 rows a
/// statement.
bool bench_table_update(bench_table *table, bench_samples *samples);
/// Deletes rows in one transaction, 1,000 rows a statement.
bool bench_table_delete(bench_table *table, const bench_samples *samples);
/// Opens and seals every sealed value under another key, in transactions of 500 rows.
bool bench_table_rotate(bench_table *table);

// Graphs

/// A car's engine.
typedef struct {
  uint8_t identifier[16];
  char *code;
  int64_t cylinders;
} bench_engine;

/// One of a car's wheels.
typedef struct {
  uint8_t identifier[16];
  char *brand;
  int64_t size;
} bench_wheel;

/// A car with its engine and its wheels.
typedef struct {
  bench_sample car;
  bench_engine engine;
  bench_wheel *wheels;
  size_t wheel_count;
} bench_graph;

/// A list that grows.
typedef struct {
  bench_graph *items;
  size_t count;
  size_t capacity;
} bench_graphs;

/// Adds a copy of a car without its parts, and returns its place in the list.
bench_graph *bench_graphs_add(
  bench_graphs *graphs, uint64_t high, uint64_t low, const char *name, const char *color, int64_t power,
  double weight, int64_t year);
/// Sets the engine of a car.
void bench_graph_set_engine(bench_graph *graph, uint64_t high, uint64_t low, const char *code, int64_t cylinders);
/// Adds a wheel to a car.
void bench_graph_add_wheel(bench_graph *graph, uint64_t high, uint64_t low, const char *brand, int64_t size);
void bench_graphs_free(bench_graphs *graphs);

/// Prepares the statements of the tables of cars, engines and wheels.
bool bench_garage_prepare(bench_connection *connection);
/// Inserts graphs in one transaction, the children first, 1,000 rows a statement.
bool bench_garage_save(bench_connection *connection, const bench_graphs *graphs);
/// Adds all graphs to a list, by one query for the cars and one for each kind of child.
bool bench_garage_fetch_all(bench_connection *connection, bench_graphs *graphs);

// Round trips

/// Stands between clients and a server, each on a Unix socket, and counts how often the server answers a client that
/// waits.
///
/// A client waits once the last thing that it has sent is a message that asks for answers: Query, Sync or Flush.
/// Several of these that it sends at once are one round trip.
typedef struct bench_proxy bench_proxy;

/// Starts to take connections; NULL where the socket can't be made.
bench_proxy *bench_proxy_start(const char *path, const char *server_path);
/// Takes no more connections; those that are open go on until one side ends them.
void bench_proxy_stop(bench_proxy *proxy);
/// Returns the number of round trips since the start.
uint64_t bench_proxy_round_trips(const bench_proxy *proxy);
