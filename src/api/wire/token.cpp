#include "api/wire/token.hpp"

#include "base/rfc3339.hpp"

namespace parley::api {

void NewTokenBody::check(Faults& faults, TimePoint now) const
{
    if (!expires_at) return;
    const auto time = parse_rfc3339(*expires_at);
    if (!time)
        faults.push_back({"#/expires_at", "wrong_format",
                          "must be a time like 2027-01-31T09:30:00.000Z, before the year 2262"});
    else if (*time <= now)
        faults.push_back({"#/expires_at", "in_the_past", "must be in the future"});
}

}  // namespace parley::api
