// Rate limits that servers share: a table of admissions, and the functions that decide on requests.
// Each decision is made in the database, under the locks of its keys, so that it is exact for all
// servers.
//
//   limits  the times of the admissions of a key that may still count, in nanoseconds, oldest
//   first.
//
//   parley_admit_v1(requests, ids, most, charged, width, moment): one element of the first three
//   for
//     each key of each request; keys of a request are adjacent and different. `requests` are
//     numbers from 1 on; charged[request] is 0 for a request that only asks. A request is admitted
//     if each of its keys had fewer than `most` admissions in the last `width` nanoseconds. Returns
//     a row for each key: whether its request was admitted, how many more of this key would be, the
//     time until it is one more than that, the mark of the admission, and the time of the decision.
//   parley_give_back_v1(ids, marks): these admissions do not count any more.
#pragma once

#include <span>

namespace parley::store::postgres {

// Statements that create them, after those of replica_tables.hpp.
std::span<const char* const> limit_tables();

}  // namespace parley::store::postgres
