#include "store/sql/old_secrets.hpp"

#include "store/sql/packed_texts.hpp"
#include "store/times.hpp"

#include <charconv>

namespace parley::store::sql {
namespace {

struct OldSecretColumns {
    const Statement* in;
    Column<std::optional<std::string>> packed{*in, "old_secrets"};
    Column<std::optional<std::string>> single{*in, "old_secret"};
    Column<std::optional<TimePoint>> single_until{*in, "old_until_ms"};
};

TimePoint time_in(std::string_view text)
{
    std::int64_t ms = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), ms);
    if (read.ec != std::errc() || read.ptr != text.data() + text.size())
        throw damage("a secret without its time");
    return from_ms(ms);
}

}  // namespace

OldSecrets old_secrets_of(const Query& row)
{
    const auto& at = row.columns<OldSecretColumns>();
    OldSecrets secrets;
    const std::string packed = row[at.packed].value_or("");
    std::string_view rest = packed;
    while (!rest.empty()) {
        const TimePoint until = time_in(take_packed(rest));
        secrets.push_back({.secret = std::string(take_packed(rest)), .until = until});
    }
    const auto single = row[at.single];
    const auto until = row[at.single_until];
    if (single && until) secrets.push_back({.secret = *single, .until = *until});
    return secrets;
}

std::optional<std::string> packed_old_secrets(const OldSecrets& secrets)
{
    if (secrets.empty()) return std::nullopt;
    std::string packed;
    for (const OldSecret& each : secrets) {
        append_packed(packed, std::to_string(to_ms(each.until)));
        append_packed(packed, each.secret);
    }
    return packed;
}

void round_times(OldSecrets& secrets)
{
    for (OldSecret& each : secrets) each.until = to_the_millisecond(each.until);
}

}  // namespace parley::store::sql
