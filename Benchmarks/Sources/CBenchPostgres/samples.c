#include "samples.h"

#include <stdlib.h>
#include <string.h>

void *bench_make_room(void *items, size_t count, size_t *capacity, size_t item_byte_count) {
  if (count < *capacity) return items;
  *capacity = 2 * count + 16;
  return bench_grow(items, *capacity * item_byte_count);
}

bench_sample *bench_next_sample(bench_samples *samples) {
  samples->items = bench_make_room(samples->items, samples->count, &samples->capacity, sizeof *samples->items);
  bench_sample *sample = &samples->items[samples->count++];
  *sample = (bench_sample){0};
  return sample;
}

void bench_samples_add(
  bench_samples *samples, uint64_t high, uint64_t low, const char *name, const char *color, int64_t power,
  double weight, int64_t year, const char *vin, const char *plate, const char *next_vin
) {
  bench_sample *sample = bench_next_sample(samples);
  bench_store_identifier(sample->identifier, high, low);
  sample->name = bench_copy(name);
  sample->color = bench_copy(color);
  sample->power = power;
  sample->weight = weight;
  sample->year = year;
  sample->vin = bench_copy(vin);
  sample->plate = bench_copy(plate);
  sample->next_vin = bench_copy(next_vin);
}

void bench_sample_free(bench_sample *sample) {
  free(sample->name);
  free(sample->color);
  free(sample->vin);
  free(sample->plate);
  free(sample->next_vin);
}

void bench_samples_free(bench_samples *samples) {
  for (size_t index = 0; index < samples->count; index++) bench_sample_free(&samples->items[index]);
  free(samples->items);
  *samples = (bench_samples){0};
}

void bench_put_sample_field(bench_bytes *out, const bench_sample *sample, int column) {
  switch (column) {
  case 0: bench_put_bytes_field(out, sample->identifier, 16); break;
  case 1: bench_put_text_field(out, sample->name); break;
  case 2: bench_put_text_field(out, sample->color); break;
  case 3: bench_put_int_field(out, sample->power); break;
  case 4: bench_put_double_field(out, sample->weight); break;
  default: bench_put_int_field(out, sample->year); break;
  }
}

char *bench_read_text(const PGresult *result, int row, int column) {
  if (PQgetisnull(result, row, column)) return NULL;
  return bench_text(PQgetvalue(result, row, column), (size_t)PQgetlength(result, row, column));
}

bool bench_read_identifier(uint8_t identifier[16], const PGresult *result, int row, int column) {
  if (PQgetlength(result, row, column) != 16) return false;
  memcpy(identifier, PQgetvalue(result, row, column), 16);
  return true;
}

bool bench_read_sample(bench_sample *sample, const PGresult *result, int row) {
  if (!bench_read_identifier(sample->identifier, result, row, 0)) return false;
  for (int column = 3; column < 6; column++) {
    if (PQgetlength(result, row, column) != 8) return false;
  }
  sample->name = bench_read_text(result, row, 1);
  sample->color = bench_read_text(result, row, 2);
  sample->power = bench_get_int(PQgetvalue(result, row, 3));
  sample->weight = bench_get_double(PQgetvalue(result, row, 4));
  sample->year = bench_get_int(PQgetvalue(result, row, 5));
  return sample->name != NULL;
}
