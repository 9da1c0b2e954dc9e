#include "webhook/rotation.hpp"

#include <algorithm>

namespace parley::webhook {
namespace {

Error too_many_secrets()
{
    return {Errc::conflict,
            std::to_string(most_old_secrets) +
                " replaced secrets are still valid. Wait until one of them has ended, or end them "
                "all with `overlap_s` 0."};
}

}  // namespace

Result<store::OldSecrets> old_after_rotation(const store::OldSecrets& before, std::string replaced,
                                             std::chrono::seconds overlap, TimePoint now)
{
    store::OldSecrets old;
    if (overlap <= std::chrono::seconds(0)) return old;
    old.push_back({.secret = std::move(replaced), .until = now + overlap});
    std::ranges::copy_if(before, std::back_inserter(old),
                         [now](const store::OldSecret& each) { return each.until > now; });
    if (old.size() > most_old_secrets) return too_many_secrets();
    return old;
}

std::vector<std::string_view> valid_ones(const store::OldSecrets& secrets, TimePoint now)
{
    std::vector<std::string_view> valid;
    for (const store::OldSecret& each : secrets)
        if (each.until > now) valid.emplace_back(each.secret);
    return valid;
}

}  // namespace parley::webhook
