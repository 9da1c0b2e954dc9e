/* Preloaded into a program under test: sets its clocks off by the seconds in a file, which may change at any
 * time. WALL_CLOCK_OFFSET names the file for the wall clock alone, as if it was set; ALL_CLOCKS_OFFSET the one for
 * all clocks, as if time had passed. Works beside sanitizers, which libfaketime does not. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static long offset(const char* variable)
{
    const char* path = getenv(variable);
    char text[32] = {0};
    const int file = path ? (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0) : -1;
    if (file < 0) return 0;
    const long got = syscall(SYS_read, file, text, sizeof(text) - 1);
    syscall(SYS_close, file);
    /* By hand: sanitizers intercept strtol() and may not be ready yet. */
    long seconds = 0;
    for (long i = text[0] == '-'; i < got && text[i] >= '0' && text[i] <= '9'; ++i)
        seconds = 10 * seconds + (text[i] - '0');
    return text[0] == '-' ? -seconds : seconds;
}

int clock_gettime(clockid_t clock, struct timespec* time)
{
    const int failed = (int)syscall(SYS_clock_gettime, clock, time);
    if (failed) return failed;
    if (clock == CLOCK_REALTIME) time->tv_sec += offset("WALL_CLOCK_OFFSET");
    if (clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC || clock == CLOCK_BOOTTIME)
        time->tv_sec += offset("ALL_CLOCKS_OFFSET");
    return 0;
}

/* The system knows nothing of the time that has passed: otherwise waits would last as much longer. */
int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                           const struct timespec* end)
{
    static int (*wait)(pthread_cond_t*, pthread_mutex_t*, clockid_t, const struct timespec*);
    if (!wait) *(void**)&wait = dlsym(RTLD_NEXT, "pthread_cond_clockwait");
    struct timespec until = *end;
    if (clock == CLOCK_MONOTONIC) until.tv_sec -= offset("ALL_CLOCKS_OFFSET");
    return wait(condition, mutex, clock, &until);
}
