// Converts the limits of a user or a token between the API and the domain.
#pragma once

#include "api/wire/own_limits.hpp"
#include "domain/limits_change.hpp"

namespace parley::api {

inline OwnLimitsView view_of(const OwnLimits& limits)
{
    return {limits.chat, limits.general, limits.automation};
}

inline std::optional<LimitsChange::Number> change_of(const fields::Nullable<std::int64_t>& given)
{
    if (!given.given()) return std::nullopt;
    if (given.is_null()) return LimitsChange::Number();
    return LimitsChange::Number(static_cast<std::uint32_t>(*given));
}

inline LimitsChange change_of(const std::optional<OwnLimitsPatch>& patch)
{
    if (!patch) return {};
    return {.chat = change_of(patch->chat),
            .general = change_of(patch->general),
            .automation = change_of(patch->automation)};
}

}  // namespace parley::api
