/* Preloaded into a program under test: sets its wall clock off by the seconds in a file, which may change
 * at any time. The other clocks stay as they are. Works beside sanitizers, which libfaketime does not. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static long offset(void)
{
    const char* path = getenv("WALL_CLOCK_OFFSET");
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
    if (!failed && clock == CLOCK_REALTIME) time->tv_sec += offset();
    return failed;
}
