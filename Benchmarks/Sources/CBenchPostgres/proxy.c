#include "CBenchPostgres.h"
#include "wire.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

struct bench_proxy {
  int listener;
  pthread_t thread;
  char server_path[sizeof((struct sockaddr_un *)0)->sun_path];
  _Atomic uint64_t round_trips;
};

/// A connection, with a thread for each direction.
typedef struct {
  bench_proxy *proxy;
  int client;
  int server;
  /// Whether the client waits for an answer.
  atomic_bool waits;
  /// The number of directions that have not ended.
  atomic_int open_count;
} relay;

// Sockets

typedef int (*join)(int, const struct sockaddr *, socklen_t);

/// Returns a socket that is bound or connected to a path; -1 for an error.
static int make_socket(const char *path, join join) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) return -1;
  strcpy(address.sun_path, path);
  int made = socket(AF_UNIX, SOCK_STREAM, 0);
  if (made >= 0 && join(made, (const struct sockaddr *)&address, sizeof address) == 0) return made;
  if (made >= 0) close(made);
  return -1;
}

static bool send_all(int to, const char *bytes, size_t count) {
  while (count > 0) {
    ssize_t sent = write(to, bytes, count);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    bytes += sent;
    count -= (size_t)sent;
  }
  return true;
}

static ssize_t receive(int from, char *bytes, size_t count) {
  ssize_t received;
  do { received = read(from, bytes, count); } while (received < 0 && errno == EINTR);
  return received;
}

/// Ends a connection once both directions have ended.
static void end(relay *relay) {
  shutdown(relay->client, SHUT_RDWR);
  shutdown(relay->server, SHUT_RDWR);
  if (atomic_fetch_sub(&relay->open_count, 1) > 1) return;
  close(relay->client);
  close(relay->server);
  free(relay);
}

// Messages

/// Where the bytes of a client stand among its messages.
typedef struct {
  /// Letter and length; the first message of a connection has no letter.
  uint8_t head[5];
  int head_count;
  /// The number of bytes that are still to come of a message whose head is complete.
  size_t left;
} reader;

/// Goes through a client's bytes; returns whether they end with a message that asks for answers.
static bool asks(reader *reader, const char *bytes, size_t count) {
  bool is_asked = false;
  while (count > 0) {
    if (reader->head_count < 5) {
      reader->head[reader->head_count++] = (uint8_t)*bytes;
      bytes += 1, count -= 1;
      is_asked = false;
      if (reader->head_count < 5) continue;
      const uint8_t *h = reader->head;
      reader->left = ((size_t)h[1] << 24 | (size_t)h[2] << 16 | (size_t)h[3] << 8 | h[4]) - 4;
    }
    size_t taken = count < reader->left ? count : reader->left;
    bytes += taken, count -= taken;
    reader->left -= taken;
    if (reader->left > 0) return false;
    is_asked = memchr("QSHF", reader->head[0], 4) != NULL;
    reader->head_count = 0;
  }
  return is_asked;
}

static void *run_to_server(void *context) {
  relay *relay = context;
  static const size_t size = 1 << 16;
  char *bytes = bench_grow(NULL, size);
  // As if a letter had come before the first message.
  reader reader = {.head_count = 1};
  ssize_t count;
  while ((count = receive(relay->client, bytes, size)) > 0) {
    atomic_store(&relay->waits, asks(&reader, bytes, (size_t)count));
    if (!send_all(relay->server, bytes, (size_t)count)) break;
  }
  free(bytes);
  end(relay);
  return NULL;
}

static void *run_to_client(void *context) {
  relay *relay = context;
  static const size_t size = 1 << 16;
  char *bytes = bench_grow(NULL, size);
  ssize_t count;
  while ((count = receive(relay->server, bytes, size)) > 0) {
    // Before the client can see the answer, so that what it reads afterwards is complete.
    if (atomic_exchange(&relay->waits, false)) atomic_fetch_add(&relay->proxy->round_trips, 1);
    if (!send_all(relay->client, bytes, (size_t)count)) break;
  }
  free(bytes);
  end(relay);
  return NULL;
}

// Connections

static void start_relay(bench_proxy *proxy, int client) {
  relay *made = bench_grow(NULL, sizeof *made);
  made->proxy = proxy;
  made->client = client;
  made->server = make_socket(proxy->server_path, connect);
  atomic_init(&made->waits, false);
  atomic_init(&made->open_count, 2);
  void *(*directions[])(void *) = {run_to_server, run_to_client};
  for (int index = 0; index < 2; index++) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, directions[index], made) == 0) pthread_detach(thread);
    else end(made);
  }
}

static void *accept_all(void *context) {
  bench_proxy *proxy = context;
  while (true) {
    int client = accept(proxy->listener, NULL, NULL);
    if (client >= 0) start_relay(proxy, client);
    else if (errno != EINTR && errno != ECONNABORTED) return NULL;
  }
}

bench_proxy *bench_proxy_start(const char *path, const char *server_path) {
  // A write to a connection that has ended would otherwise end the program.
  signal(SIGPIPE, SIG_IGN);
  bench_proxy *proxy = bench_grow(NULL, sizeof *proxy);
  atomic_init(&proxy->round_trips, 0);
  snprintf(proxy->server_path, sizeof proxy->server_path, "%s", server_path);
  proxy->listener = make_socket(path, bind);
  if (proxy->listener >= 0 && listen(proxy->listener, 64) == 0
    && pthread_create(&proxy->thread, NULL, accept_all, proxy) == 0) {
    return proxy;
  }
  if (proxy->listener >= 0) close(proxy->listener);
  free(proxy);
  return NULL;
}

void bench_proxy_stop(bench_proxy *proxy) {
  shutdown(proxy->listener, SHUT_RDWR);
  pthread_join(proxy->thread, NULL);
  close(proxy->listener);
  // Connections that are open count on, so the memory stays.
}

uint64_t bench_proxy_round_trips(const bench_proxy *proxy) { return atomic_load(&proxy->round_trips); }
