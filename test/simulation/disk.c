/*
 * A disk that is full, fails, writes less than it was asked to or ends the process, for one folder of
 * one process; and the clock of the process, put forward or back.
 *
 * Preloaded, it stands before the calls of the C library by which files are made and written. Files in
 * the folder FAULTY_FOLDER are concerned; all others are left alone. What goes wrong stands in the
 * file FAULTY_CONTROL, sixteen integers of eight bytes, which may change while the process runs:
 *
 *   0  so many bytes there is room for; what is written after that fails with ENOSPC
 *   1  from that call on (writing, making, linking, renaming, syncing), counted from 1, each fails
 *   2  with this number of errno.h
 *   3  that sync, counted from 1, fails with EIO, and all after it
 *   4  above 0: half of what is asked for is written at a time
 *   5  bytes that the file system says are free
 *   6  at that call, counted from 1, the process is killed, unless FAULTY_SURVIVES is set
 *   8  bytes written, 9 calls, 10 syncs so far
 *  11  calls that have failed
 *  12  files with something that was written and not synced; an index in memory and a database
 *      that has a log are left out
 *  13  milliseconds by which the clock is ahead of that of the machine
 *
 * Zero stands for no fault. Removing and truncating to less always works, as it does on a full disk.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/mman.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static const char *folder;
static int survives;
static atomic_llong none[16], *control = none;
static atomic_char is_dirty[65536];

enum { BYTES_MAX, CALL_FROM, ERROR, SYNC_FROM, SHORT, ROOM, KILL_AT,
       BYTES_DONE = 8, CALLS_DONE, SYNCS_DONE, FAILED, UNSYNCED, AHEAD };

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("FAULTY_CONTROL");
  folder = getenv("FAULTY_FOLDER");
  survives = getenv("FAULTY_SURVIVES") != NULL;
  int fd = path == NULL ? -1 : (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR);
  if (fd < 0) return;
  void *shared = mmap(NULL, sizeof none, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (shared != MAP_FAILED) control = shared;
  syscall(SYS_close, fd);
}

#define REAL(type, name, ...)                                  \
  static type (*real)(__VA_ARGS__);                            \
  if (real == NULL) real = (type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name)

static int is_in(const char *path) {
  if (folder == NULL || path == NULL) return 0;
  size_t length = strlen(folder);
  return strncmp(path, folder, length) == 0 && path[length] == '/';
}

/*
 * Whether what is written to the file that was last looked at need not be on the disk: shared memory
 * does not outlive the machine, and what a checkpoint writes into a database stands in its log until
 * all of it is there, which alone is synced.
 */
static _Thread_local int is_spared;

static int is_ours(int fd) {
  if (folder == NULL) return 0;
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  if (!is_in(path)) return 0;
  is_spared = length > 4 && strcmp(path + length - 4, "-shm") == 0;
  if (!is_spared && length + 5 < (ssize_t)sizeof path) {
    strcpy(path + length, "-wal");
    is_spared = access(path, F_OK) == 0;
  }
  return 1;
}

static int failed(int error) {
  atomic_fetch_add(&control[FAILED], 1);
  errno = error;
  return 1;
}

/* Whether a call fails; errno says why. */
static int fails(void) {
  long long call = atomic_fetch_add(&control[CALLS_DONE], 1) + 1;
  long long last = atomic_load(&control[KILL_AT]);
  if (last > 0 && call >= last && !survives) {
    atomic_store(&control[KILL_AT], 0);
    kill(getpid(), SIGKILL);
  }
  long long from = atomic_load(&control[CALL_FROM]);
  return from > 0 && call >= from && failed((int)atomic_load(&control[ERROR]));
}

static int sync_fails(void) {
  long long sync = atomic_fetch_add(&control[SYNCS_DONE], 1) + 1;
  if (fails()) return 1;
  long long from = atomic_load(&control[SYNC_FROM]);
  return from > 0 && sync >= from && failed(EIO);
}

/* Bytes for which there is room. */
static long long left(void) {
  long long most = atomic_load(&control[BYTES_MAX]);
  return most == 0 ? LLONG_MAX : most - atomic_load(&control[BYTES_DONE]);
}

static int is_full(void) { return left() <= 0 && failed(ENOSPC); }

/* Notes whether a file has something that was written and not synced. */
static void mark(int fd, char dirty) {
  if (fd < 0 || fd >= (int)sizeof is_dirty) return;
  if (atomic_exchange(&is_dirty[fd], dirty) != dirty) {
    atomic_fetch_add(&control[UNSYNCED], dirty ? 1 : -1);
  }
}

/*
 * How much of `size` may be written: -1 with errno when nothing. What was written before belongs to
 * something that fails now, and is promised to nobody.
 */
static ssize_t allowed(int fd, size_t size) {
  if (fails() || (size > 0 && is_full())) {
    mark(fd, 0);
    return -1;
  }
  size_t most = atomic_load(&control[SHORT]) > 0 && size > 1 ? (size + 1) / 2 : size;
  return (long long)most > left() ? (ssize_t)left() : (ssize_t)most;
}

static ssize_t done(int fd, ssize_t written) {
  if (written > 0) {
    atomic_fetch_add(&control[BYTES_DONE], written);
    if (!is_spared) mark(fd, 1);
  }
  return written;
}

ssize_t write(int fd, const void *from, size_t size) {
  REAL(ssize_t, write, int, const void *, size_t);
  if (!is_ours(fd)) return real(fd, from, size);
  ssize_t most = allowed(fd, size);
  return most < 0 ? -1 : done(fd, real(fd, from, (size_t)most));
}

ssize_t pwrite64(int fd, const void *from, size_t size, off64_t at) {
  REAL(ssize_t, pwrite64, int, const void *, size_t, off64_t);
  if (!is_ours(fd)) return real(fd, from, size, at);
  ssize_t most = allowed(fd, size);
  return most < 0 ? -1 : done(fd, real(fd, from, (size_t)most, at));
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
  ssize_t most = allowed(out, size);
  return most < 0 ? -1 : done(out, real(in, from, out, to, (size_t)most, flags));
}

ssize_t sendfile64(int out, int in, off64_t *from, size_t size) {
  REAL(ssize_t, sendfile64, int, int, off64_t *, size_t);
  if (!is_ours(out)) return real(out, in, from, size);
  ssize_t most = allowed(out, size);
  return most < 0 ? -1 : done(out, real(out, in, from, (size_t)most));
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
  mark(fd, 0);
  return is_ours(fd) && sync_fails() ? -1 : real(fd);
}

int close(int fd) {
  REAL(int, close, int);
  mark(fd, 0);
  return real(fd);
}

int fdatasync(int fd) {
  REAL(int, fdatasync, int);
  mark(fd, 0);
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
  if (makes(path, flags) && (fails() || is_full())) return -1;
  int fd = real(path, flags, mode);
  // Not every close comes by here.
  mark(fd, 0);
  return fd;
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
  long long room = atomic_load(&control[ROOM]);
  if (result == 0 && room > 0) found->f_bavail = found->f_bfree = room / found->f_bsize;
  return result;
}

int statfs(const char *path, struct statfs *found) {
  return statfs64(path, (struct statfs64 *)found);
}

/* Time that only passes, by which is waited, is left alone. */
int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  REAL(int, gettimeofday, struct timeval *, void *);
  int result = real(now, zone);
  long long micros = now->tv_usec + atomic_load(&control[AHEAD]) % 1000 * 1000;
  now->tv_sec += atomic_load(&control[AHEAD]) / 1000 + (micros < 0 ? -1 : micros / 1000000);
  now->tv_usec = (micros + 1000000) % 1000000;
  return result;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  REAL(int, clock_gettime, clockid_t, struct timespec *);
  if (clock != CLOCK_REALTIME) return real(clock, now);
  struct timeval found;
  gettimeofday(&found, NULL);
  now->tv_sec = found.tv_sec;
  now->tv_nsec = found.tv_usec * 1000;
  return 0;
}
