#include "api/account_bodies.hpp"

#include "auth/account_faults.hpp"
#include "fields/add_fault.hpp"

#include <utility>

namespace parley::api {
namespace {

// These add nothing for a field that was refused already.
void check_username(std::string_view text, Faults& faults)
{
    Faults found;
    auth::check_username(text, found);
    fields::add_unless_refused(faults, std::move(found));
}

void check_display_name(std::string_view text, Faults& faults)
{
    Faults found;
    auth::check_display_name(text, found);
    fields::add_unless_refused(faults, std::move(found));
}

void check_password(std::string_view text, Faults& faults, const char* where = "#/password")
{
    Faults found;
    auth::check_password_length(text, where, found);
    fields::add_unless_refused(faults, std::move(found));
}

}  // namespace

void CheckedNewUser::check(Faults& faults) const
{
    check_username(username, faults);
    if (display_name) check_display_name(*display_name, faults);
    if (password) check_password(*password, faults);
}

void CheckedUserChange::check(Faults& faults) const
{
    UserChangeBody::check(faults);
    if (display_name) check_display_name(*display_name, faults);
    if (password) check_password(*password, faults);
}

void CheckedOwnChange::check(Faults& faults) const
{
    if (display_name) check_display_name(*display_name, faults);
}

void CheckedNewPassword::check(Faults& faults) const
{
    check_password(new_password, faults, "#/new_password");
}

void CheckedSetup::check(Faults& faults) const
{
    check_username(username, faults);
    if (display_name) check_display_name(*display_name, faults);
    check_password(password, faults);
}

void CheckedAcceptance::check(Faults& faults) const { check_password(password, faults); }

void CheckedReset::check(Faults& faults) const { check_password(password, faults); }

}  // namespace parley::api
