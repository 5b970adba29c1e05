/*
 * A disk that is full, fails or writes less than it was asked to, for one folder of one process.
 *
 * Preloaded, it stands before the calls of the C library by which files are made and written. What
 * goes wrong is told by the environment:
 *
 *   FAULTY_FOLDER   files in it are concerned; all others are left alone
 *   FAULTY_BYTES    so many bytes there is room for; what is written after that fails with ENOSPC
 *   FAULTY_CALL     from that call on (writing, making, linking, renaming, syncing), counted from 1,
 *                   each fails with FAULTY_ERROR
 *   FAULTY_SYNC     that sync, counted from 1, fails with EIO, and all after it
 *   FAULTY_ERROR    a number of errno.h
 *   FAULTY_SHORT    any value: half of what is asked for is written at a time
 *   FAULTY_ROOM     bytes that the file system says are free
 *   FAULTY_COUNT    a file to which the process appends "bytes calls syncs" when it ends
 *
 * Removing and truncating to less always works, as it does on a full disk.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/uio.h>
#include <unistd.h>

static const char *folder;
static long long room = -1, bytes_max = -1, call_from = -1, sync_from = -1;
static int error_given = EIO, is_short;
static atomic_llong bytes_done, calls_done, syncs_done;

static long long number(const char *name, long long otherwise) {
  const char *text = getenv(name);
  return text == NULL ? otherwise : atoll(text);
}

__attribute__((constructor)) static void begin(void) {
  folder = getenv("FAULTY_FOLDER");
  bytes_max = number("FAULTY_BYTES", -1);
  call_from = number("FAULTY_CALL", -1);
  sync_from = number("FAULTY_SYNC", -1);
  error_given = (int)number("FAULTY_ERROR", EIO);
  room = number("FAULTY_ROOM", -1);
  is_short = getenv("FAULTY_SHORT") != NULL;
}

#define REAL(type, name, ...)                                  \
  static type (*real)(__VA_ARGS__);                            \
  if (real == NULL) real = (type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name)

static int is_in(const char *path) {
  if (folder == NULL || path == NULL) return 0;
  size_t length = strlen(folder);
  return strncmp(path, folder, length) == 0 && path[length] == '/';
}

static int is_ours(int fd) {
  if (folder == NULL) return 0;
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  return is_in(path);
}

/* Whether a call fails; errno says why. */
static int fails(void) {
  long long call = atomic_fetch_add(&calls_done, 1) + 1;
  if (call_from < 0 || call < call_from) return 0;
  errno = error_given;
  return 1;
}

static int sync_fails(void) {
  long long sync = atomic_fetch_add(&syncs_done, 1) + 1;
  if (fails()) return 1;
  if (sync_from < 0 || sync < sync_from) return 0;
  errno = EIO;
  return 1;
}

static int is_full(void) {
  if (bytes_max < 0 || atomic_load(&bytes_done) < bytes_max) return 0;
  errno = ENOSPC;
  return 1;
}

/* How much of `size` may be written: -1 with errno when nothing. */
static ssize_t allowed(size_t size) {
  if (fails() || (size > 0 && is_full())) return -1;
  size_t most = is_short && size > 1 ? (size + 1) / 2 : size;
  if (bytes_max >= 0) {
    long long left = bytes_max - atomic_load(&bytes_done);
    if ((long long)most > left) most = (size_t)left;
  }
  return (ssize_t)most;
}

static ssize_t done(ssize_t written) {
  if (written > 0) atomic_fetch_add(&bytes_done, written);
  return written;
}

ssize_t write(int fd, const void *from, size_t size) {
  REAL(ssize_t, write, int, const void *, size_t);
  if (!is_ours(fd)) return real(fd, from, size);
  ssize_t most = allowed(size);
  return most < 0 ? -1 : done(real(fd, from, (size_t)most));
}

ssize_t pwrite64(int fd, const void *from, size_t size, off64_t at) {
  REAL(ssize_t, pwrite64, int, const void *, size_t, off64_t);
  if (!is_ours(fd)) return real(fd, from, size, at);
  ssize_t most = allowed(size);
  return most < 0 ? -1 : done(real(fd, from, (size_t)most, at));
}

ssize_t pwrite(int fd, const void *from, size_t size, off_t at) {
  return pwrite64(fd, from, size, at);
}

/* Several buffers: those that do not fit wholly are written one by one. */
ssize_t pwritev64(int fd, const struct iovec *from, int count, off64_t at) {
  REAL(ssize_t, pwritev64, int, const struct iovec *, int, off64_t);
  if (!is_ours(fd)) return real(fd, from, count, at);
  return count == 0 ? 0 : pwrite64(fd, from[0].iov_base, from[0].iov_len, at);
}

ssize_t pwritev(int fd, const struct iovec *from, int count, off_t at) {
  return pwritev64(fd, from, count, at);
}

ssize_t writev(int fd, const struct iovec *from, int count) {
  REAL(ssize_t, writev, int, const struct iovec *, int);
  if (!is_ours(fd)) return real(fd, from, count);
  return count == 0 ? 0 : write(fd, from[0].iov_base, from[0].iov_len);
}

/* Copying within the kernel is refused, so that it is done by reading and writing. */
ssize_t copy_file_range(int in, off64_t *from, int out, off64_t *to, size_t size, unsigned flags) {
  REAL(ssize_t, copy_file_range, int, off64_t *, int, off64_t *, size_t, unsigned);
  if (!is_ours(out)) return real(in, from, out, to, size, flags);
  ssize_t most = allowed(size);
  return most < 0 ? -1 : done(real(in, from, out, to, (size_t)most, flags));
}

ssize_t sendfile64(int out, int in, off64_t *from, size_t size) {
  REAL(ssize_t, sendfile64, int, int, off64_t *, size_t);
  if (!is_ours(out)) return real(out, in, from, size);
  ssize_t most = allowed(size);
  return most < 0 ? -1 : done(real(out, in, from, (size_t)most));
}

ssize_t sendfile(int out, int in, off_t *from, size_t size) {
  return sendfile64(out, in, from, size);
}

int ftruncate64(int fd, off64_t size) {
  REAL(int, ftruncate64, int, off64_t);
  if (!is_ours(fd)) return real(fd, size);
  struct stat now;
  if (fstat(fd, &now) == 0 && size > now.st_size && (fails() || is_full())) return -1;
  return real(fd, size);
}

int ftruncate(int fd, off_t size) { return ftruncate64(fd, size); }

int posix_fallocate64(int fd, off64_t from, off64_t size) {
  REAL(int, posix_fallocate64, int, off64_t, off64_t);
  if (!is_ours(fd)) return real(fd, from, size);
  return fails() || is_full() ? errno : real(fd, from, size);
}

int posix_fallocate(int fd, off_t from, off_t size) { return posix_fallocate64(fd, from, size); }

int fsync(int fd) {
  REAL(int, fsync, int);
  return is_ours(fd) && sync_fails() ? -1 : real(fd);
}

int fdatasync(int fd) {
  REAL(int, fdatasync, int);
  return is_ours(fd) && sync_fails() ? -1 : real(fd);
}

static int makes(const char *path, int flags) {
  return (flags & O_CREAT) != 0 && is_in(path) && access(path, F_OK) != 0;
}

int open64(const char *path, int flags, ...) {
  REAL(int, open64, const char *, int, ...);
  va_list more;
  va_start(more, flags);
  int mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, int) : 0;
  va_end(more);
  return makes(path, flags) && (fails() || is_full()) ? -1 : real(path, flags, mode);
}

int open(const char *path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  int mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, int) : 0;
  va_end(more);
  return open64(path, flags, mode);
}

int link(const char *from, const char *to) {
  REAL(int, link, const char *, const char *);
  return is_in(to) && (fails() || is_full()) ? -1 : real(from, to);
}

int rename(const char *from, const char *to) {
  REAL(int, rename, const char *, const char *);
  return is_in(to) && fails() ? -1 : real(from, to);
}

int mkdir(const char *path, mode_t mode) {
  REAL(int, mkdir, const char *, mode_t);
  return is_in(path) && access(path, F_OK) != 0 && (fails() || is_full()) ? -1 : real(path, mode);
}

int statfs64(const char *path, struct statfs64 *found) {
  REAL(int, statfs64, const char *, struct statfs64 *);
  int result = real(path, found);
  if (result == 0 && room >= 0) found->f_bavail = found->f_bfree = room / found->f_bsize;
  return result;
}

int statfs(const char *path, struct statfs *found) {
  return statfs64(path, (struct statfs64 *)found);
}

__attribute__((destructor)) static void end(void) {
  const char *path = getenv("FAULTY_COUNT");
  FILE *file = path == NULL ? NULL : fopen(path, "a");
  if (file == NULL) return;
  fprintf(file, "%lld %lld %lld\n", atomic_load(&bytes_done), atomic_load(&calls_done),
          atomic_load(&syncs_done));
  fclose(file);
}
