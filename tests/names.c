/* Preloaded into a program under test: the names that it looks up are in a file, which may change at any time.
 * Each line is a name, the milliseconds that a look-up takes, and its addresses. Each look-up is appended to the
 * file of the same path and ".log". Other names do not exist. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct addrinfo* entry(const char* text)
{
    struct in_addr v4;
    struct in6_addr v6;
    const int is_v4 = inet_pton(AF_INET, text, &v4) == 1;
    if (!is_v4 && inet_pton(AF_INET6, text, &v6) != 1) return NULL;
    struct addrinfo* made = calloc(1, sizeof(*made) + sizeof(struct sockaddr_storage));
    made->ai_family = is_v4 ? AF_INET : AF_INET6;
    made->ai_socktype = SOCK_STREAM;
    made->ai_addr = (struct sockaddr*)(made + 1);
    made->ai_addr->sa_family = (sa_family_t)made->ai_family;
    if (is_v4) {
        ((struct sockaddr_in*)made->ai_addr)->sin_addr = v4;
        made->ai_addrlen = sizeof(struct sockaddr_in);
    } else {
        ((struct sockaddr_in6*)made->ai_addr)->sin6_addr = v6;
        made->ai_addrlen = sizeof(struct sockaddr_in6);
    }
    return made;
}

static void note(const char* path, const char* name)
{
    char log[4096];
    snprintf(log, sizeof(log), "%s.log", path);
    FILE* file = fopen(log, "a");
    if (!file) return;
    fprintf(file, "%s\n", name);
    fclose(file);
}

int getaddrinfo(const char* name, const char* service, const struct addrinfo* hints, struct addrinfo** found)
{
    (void)service;
    (void)hints;
    *found = NULL;
    const char* path = getenv("NAMES");
    FILE* file = path && name ? fopen(path, "r") : NULL;
    if (!file) return EAI_FAIL;
    note(path, name);
    char line[4096];
    long delay = 0;
    struct addrinfo** last = found;
    while (!*found && fgets(line, sizeof(line), file)) {
        char* rest = NULL;
        const char* word = strtok_r(line, " \n", &rest);
        if (!word || strcmp(word, name) != 0) continue;
        word = strtok_r(NULL, " \n", &rest);
        delay = word ? atol(word) : 0;
        while ((word = strtok_r(NULL, " \n", &rest)))
            if ((*last = entry(word))) last = &(*last)->ai_next;
    }
    fclose(file);
    usleep((useconds_t)(delay * 1000));
    return *found ? 0 : EAI_NONAME;
}

void freeaddrinfo(struct addrinfo* list)
{
    while (list) {
        struct addrinfo* next = list->ai_next;
        free(list);
        list = next;
    }
}
