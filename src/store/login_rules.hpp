// Rules for logins and their tokens, shared by all stores.
#pragma once

#include "base/normal_form.hpp"
#include "store/times.hpp"
#include "store/tokens.hpp"

#include <algorithm>

namespace parley::store {

// Whether a used refresh token may be used again: two tabs had the same one, or a response was
// lost. Later use means that it may have been stolen.
inline bool is_within_grace(TimePoint first_use, const Refresh& refresh)
{
    return to_the_millisecond(refresh.now) - to_the_millisecond(first_use) < refresh.grace;
}

inline void round_down(Token& token)
{
    token.created_at = to_the_millisecond(token.created_at);
    if (token.last_used_at) token.last_used_at = to_the_millisecond(*token.last_used_at);
    if (token.expires_at) token.expires_at = to_the_millisecond(*token.expires_at);
}

// Assigns a token to a login.
inline void join(Token& token, const Login& login)
{
    token.user = login.user;
    token.created_by = login.user;
    token.login = login.id;
    token.name = login.label;
    token.expires_at = std::min(token.expires_at.value_or(login.expires_at), login.expires_at);
    round_down(token);
}

// When the later of the two tokens of the login expires: without a refresh the login then ends.
inline TimePoint end_of(const Login& login, const Token& access, const Token& refresh)
{
    return std::max(access.expires_at.value_or(login.expires_at),
                    refresh.expires_at.value_or(login.expires_at));
}

// Applies the change to a user.
inline void apply(User& user, const UserChange& change)
{
    if (change.display_name) user.display_name = *change.display_name;
    user.role = change.role.value_or(user.role);
    user.disabled = change.disabled.value_or(user.disabled);
    if (change.password_hash) user.password_hash = *change.password_hash;
    user.limits = change.limits.applied_to(user.limits);
    if (change.retention_days) user.retention_days = *change.retention_days;
    if (change.output_tokens_per_day) user.output_tokens_per_day = *change.output_tokens_per_day;
    if (change.invitation || change.password_hash) user.invitation = change.invitation;
    if (change.reset_link || change.password_hash) user.reset_link = change.reset_link;
    if (change.totp_pending) user.totp_pending = *change.totp_pending;
    if (change.confirmed_totp)
        user.totp = {.secret = change.confirmed_totp->pending,
                     .last_step = change.confirmed_totp->step};
    if (change.removes_totp) user.totp.reset();
    if (change.confirmed_totp || change.removes_totp) user.totp_pending.clear();
    for (auto* code : {&user.invitation, &user.reset_link})
        if (*code) (*code)->expires_at = to_the_millisecond((*code)->expires_at);
}

inline bool ends_logins(const UserChange& change)
{
    return change.password_hash || change.disabled.value_or(false) || change.confirmed_totp ||
           change.removes_totp;
}

// Whether the user's name or display name contains a part, which is case-folded.
inline bool is_named(const User& user, const std::string& part)
{
    if (part.empty() || user.name_key.find(part) != std::string::npos) return true;
    const auto display_key = case_folded(user.display_name);
    return display_key && display_key->find(part) != std::string::npos;
}

// Converts a login to an entry of the list of tokens, and back.
inline Token as_token(const Login& login)
{
    return {.id = login.id,
            .kind = 's',
            .user = login.user,
            .name = login.label,
            .scopes = login.scopes,
            .hint = login.hint,
            .created_by = login.user,
            .created_at = login.created_at,
            .last_used_at = login.last_used_at,
            .expires_at = login.expires_at};
}
inline Login as_login(const Token& token)
{
    return {.id = token.id,
            .user = token.user,
            .label = token.name,
            .created_at = token.created_at,
            .expires_at = token.expires_at.value_or(TimePoint()),  // It always has one.
            .hint = token.hint,
            .scopes = token.scopes,
            .last_used_at = token.last_used_at};
}

// Applies a refresh to a login.
inline void note_refresh(Login& login, const Refresh& with)
{
    login.hint = with.access.hint;
    login.scopes = with.access.scopes;
    login.last_used_at = std::max(login.last_used_at.value_or(with.now), with.now);
}

}  // namespace parley::store
