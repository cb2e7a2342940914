#include "samples.h"

#include <stdlib.h>
#include <string.h>

// Graphs in memory

static bench_graph *next_graph(bench_graphs *graphs) {
  graphs->items = bench_make_room(graphs->items, graphs->count, &graphs->capacity, sizeof *graphs->items);
  bench_graph *graph = &graphs->items[graphs->count++];
  *graph = (bench_graph){0};
  return graph;
}

bench_graph *bench_graphs_add(
  bench_graphs *graphs, uint64_t high, uint64_t low, const char *name, const char *color, int64_t power,
  double weight, int64_t year
) {
  bench_graph *graph = next_graph(graphs);
  bench_store_identifier(graph->car.identifier, high, low);
  graph->car.name = bench_copy(name);
  graph->car.color = bench_copy(color);
  graph->car.power = power;
  graph->car.weight = weight;
  graph->car.year = year;
  return graph;
}

void bench_graph_set_engine(bench_graph *graph, uint64_t high, uint64_t low, const char *code, int64_t cylinders) {
  bench_store_identifier(graph->engine.identifier, high, low);
  graph->engine.code = bench_copy(code);
  graph->engine.cylinders = cylinders;
}

static bench_wheel *next_wheel(bench_graph *graph) {
  // Four wheels are one allocation.
  if (graph->wheel_count % 4 == 0) {
    graph->wheels = bench_grow(graph->wheels, (graph->wheel_count + 4) * sizeof *graph->wheels);
  }
  return &graph->wheels[graph->wheel_count++];
}

void bench_graph_add_wheel(bench_graph *graph, uint64_t high, uint64_t low, const char *brand, int64_t size) {
  bench_wheel *wheel = next_wheel(graph);
  bench_store_identifier(wheel->identifier, high, low);
  wheel->brand = bench_copy(brand);
  wheel->size = size;
}

void bench_graphs_free(bench_graphs *graphs) {
  for (size_t index = 0; index < graphs->count; index++) {
    bench_graph *graph = &graphs->items[index];
    bench_sample_free(&graph->car);
    free(graph->engine.code);
    for (size_t wheel = 0; wheel < graph->wheel_count; wheel++) free(graph->wheels[wheel].brand);
    free(graph->wheels);
  }
  free(graphs->items);
  *graphs = (bench_graphs){0};
}

// Columns

static void put_engine(bench_bytes *out, const void *context, size_t row, int column) {
  const bench_engine *engine = &((const bench_graph *)context)[row].engine;
  switch (column) {
  case 0: bench_put_bytes_field(out, engine->identifier, 16); break;
  case 1: bench_put_text_field(out, engine->code); break;
  default: bench_put_int_field(out, engine->cylinders); break;
  }
}

static void put_car(bench_bytes *out, const void *context, size_t row, int column) {
  const bench_graph *graph = &((const bench_graph *)context)[row];
  if (column < 6) {
    bench_put_sample_field(out, &graph->car, column);
  } else {
    bench_put_bytes_field(out, graph->engine.identifier, 16);
  }
}

/// A wheel at its place.
typedef struct {
  const bench_graph *graph;
  size_t position;
} place;

static void put_wheel(bench_bytes *out, const void *context, size_t row, int column) {
  const place *at = &((const place *)context)[row];
  const bench_wheel *wheel = &at->graph->wheels[at->position];
  switch (column) {
  case 0: bench_put_bytes_field(out, wheel->identifier, 16); break;
  case 1: bench_put_text_field(out, wheel->brand); break;
  default: bench_put_int_field(out, wheel->size); break;
  }
}

static void put_place(bench_bytes *out, const void *context, size_t row, int column) {
  const place *at = &((const place *)context)[row];
  switch (column) {
  case 0: bench_put_bytes_field(out, at->graph->car.identifier, 16); break;
  case 1: bench_put_int_field(out, (int64_t)at->position); break;
  default: bench_put_bytes_field(out, at->graph->wheels[at->position].identifier, 16); break;
  }
}

static const bench_shape engines = {
  "Engine", 3, {"objectID", "code", "cylinders"}, {"uuid", "text", "bigint"}, put_engine};
static const bench_shape wheels = {"Wheel", 3, {"objectID", "brand", "size"}, {"uuid", "text", "bigint"}, put_wheel};
static const bench_shape cars = {
  "Car",
  7,
  {"objectID", "name", "color", "power", "weight", "year", "engine"},
  {"uuid", "text", "text", "bigint", "float8", "bigint", "uuid"},
  put_car};
static const bench_shape places = {
  "Car_wheels", 3, {"owner", "position", "child"}, {"uuid", "bigint", "uuid"}, put_place};

// Statements

bool bench_garage_prepare(bench_connection *connection) {
  return bench_prepare_insert(connection, &engines) && bench_prepare_insert(connection, &wheels)
    && bench_prepare_insert(connection, &cars) && bench_prepare_insert(connection, &places)
    && bench_prepare(
      connection, "cars",
      "SELECT \"objectID\", \"name\", \"color\", \"power\", \"weight\", \"year\" FROM \"Car\" ORDER BY \"objectID\"")
    && bench_prepare(
      connection, "engines",
      "SELECT e.\"objectID\", e.\"code\", e.\"cylinders\", c.\"objectID\" FROM \"Car\" AS c "
      "JOIN \"Engine\" AS e ON e.\"objectID\" = c.\"engine\" ORDER BY c.\"objectID\"")
    && bench_prepare(
      connection, "wheels",
      "SELECT w.\"objectID\", w.\"brand\", w.\"size\", p.\"owner\" FROM \"Car_wheels\" AS p "
      "JOIN \"Wheel\" AS w ON w.\"objectID\" = p.\"child\" ORDER BY p.\"owner\", p.\"position\"");
}

bool bench_garage_save(bench_connection *connection, const bench_graphs *graphs) {
  place *all = NULL;
  size_t count = 0, capacity = 0;
  for (size_t index = 0; index < graphs->count; index++) {
    const bench_graph *graph = &graphs->items[index];
    for (size_t position = 0; position < graph->wheel_count; position++) {
      all = bench_make_room(all, count, &capacity, sizeof *all);
      all[count++] = (place){graph, position};
    }
  }
  bool is_good = bench_execute(connection, "BEGIN")
    && bench_insert(connection, &engines, graphs->items, graphs->count, BENCH_UNNEST)
    && bench_insert(connection, &wheels, all, count, BENCH_UNNEST)
    && bench_insert(connection, &cars, graphs->items, graphs->count, BENCH_UNNEST)
    && bench_insert(connection, &places, all, count, BENCH_UNNEST) && bench_execute(connection, "COMMIT");
  free(all);
  return is_good;
}

// Both kinds of children come in the order of the cars, so that a cursor finds their owners.

typedef struct {
  bench_graphs *graphs;
  size_t index;
} cursor;

static bool take_car(void *context, const PGresult *row) {
  return bench_read_sample(&next_graph(((cursor *)context)->graphs)->car, row, 0);
}

/// Returns the car whose identifier is in the fourth column.
static bench_graph *owner_of(const PGresult *row, cursor *at) {
  uint8_t owner[16];
  if (PQgetlength(row, 0, 2) != 8 || !bench_read_identifier(owner, row, 0, 3)) return NULL;
  while (at->index < at->graphs->count) {
    bench_graph *graph = &at->graphs->items[at->index];
    if (memcmp(graph->car.identifier, owner, 16) == 0) return graph;
    at->index += 1;
  }
  return NULL;
}

static bool take_engine(void *context, const PGresult *row) {
  bench_graph *graph = owner_of(row, context);
  if (graph == NULL) return false;
  graph->engine.code = bench_read_text(row, 0, 1);
  graph->engine.cylinders = bench_get_int(PQgetvalue(row, 0, 2));
  return bench_read_identifier(graph->engine.identifier, row, 0, 0);
}

static bool take_wheel(void *context, const PGresult *row) {
  bench_graph *graph = owner_of(row, context);
  if (graph == NULL) return false;
  bench_wheel *wheel = next_wheel(graph);
  wheel->brand = bench_read_text(row, 0, 1);
  wheel->size = bench_get_int(PQgetvalue(row, 0, 2));
  return bench_read_identifier(wheel->identifier, row, 0, 0);
}

bool bench_garage_fetch_all(bench_connection *connection, bench_graphs *graphs) {
  cursor of_cars = {graphs, 0}, of_engines = {graphs, 0}, of_wheels = {graphs, 0};
  return bench_execute(connection, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    && bench_each_row(connection, "cars", NULL, take_car, &of_cars)
    && bench_each_row(connection, "engines", NULL, take_engine, &of_engines)
    && bench_each_row(connection, "wheels", NULL, take_wheel, &of_wheels) && bench_execute(connection, "COMMIT");
}
