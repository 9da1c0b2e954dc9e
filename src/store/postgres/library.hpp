// libpq, PostgreSQL's client library, loaded when the first database is opened: a server with
// SQLite needs neither the library nor its memory.
#pragma once

#include "base/error.hpp"

#include <libpq-fe.h>

namespace parley::store::postgres {

#define PARLEY_LIBPQ_FUNCTIONS(each)                                                              \
    each(PQlibVersion) each(PQconninfoParse) each(PQconninfoFree) each(PQfreemem)                 \
        each(PQconnectStartParams) each(PQconnectPoll) each(PQfinish) each(PQstatus)              \
            each(PQerrorMessage) each(PQsocket) each(PQserverVersion) each(PQbackendPID)          \
                each(PQsetnonblocking) each(PQflush) each(PQconsumeInput) each(PQisBusy)          \
                    each(PQgetResult) each(PQenterPipelineMode) each(PQpipelineSync)              \
                        each(PQsendFlushRequest) each(PQsendQueryParams) each(PQsendPrepare)      \
                            each(PQsendQueryPrepared) each(PQresultStatus)                        \
                                each(PQresultErrorField) each(PQclear) each(PQntuples)            \
                                    each(PQnfields) each(PQfname) each(PQftype) each(PQgetisnull) \
                                        each(PQgetvalue) each(PQgetlength) each(PQcmdTuples)      \
                                            each(PQcmdStatus) each(PQsetNoticeReceiver)

// A pointer to each function, under its own name.
struct Library {
// NOLINTNEXTLINE(bugprone-macro-parentheses): a name that is declared takes none.
#define PARLEY_DECLARE(name) decltype(&::name) name = nullptr;
    PARLEY_LIBPQ_FUNCTIONS(PARLEY_DECLARE)
#undef PARLEY_DECLARE
};

// Loads the library once. Fails with storage_unavailable and a message for the operator.
Result<const Library*> load_library();

// The loaded library. Must not be called before load_library() has succeeded.
const Library& libpq();

}  // namespace parley::store::postgres
