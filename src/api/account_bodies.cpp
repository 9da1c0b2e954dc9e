#include "api/account_bodies.hpp"

#include "auth/account_faults.hpp"
#include "fields/add_fault.hpp"

namespace parley::api {

void CheckedNewUser::check(Faults& faults) const
{
    Faults found;
    auth::check_username(username, found);
    if (display_name) auth::check_display_name(*display_name, found);
    if (password) auth::check_password_length(*password, "#/password", found);
    fields::add_unless_refused(faults, std::move(found));
}

void CheckedUserChange::check(Faults& faults) const
{
    UserChangeBody::check(faults);
    Faults found;
    if (display_name) auth::check_display_name(*display_name, found);
    if (password) auth::check_password_length(*password, "#/password", found);
    fields::add_unless_refused(faults, std::move(found));
}

void CheckedOwnChange::check(Faults& faults) const
{
    Faults found;
    if (display_name) auth::check_display_name(*display_name, found);
    fields::add_unless_refused(faults, std::move(found));
}

void CheckedNewPassword::check(Faults& faults) const
{
    Faults found;
    auth::check_password_length(new_password, "#/new_password", found);
    fields::add_unless_refused(faults, std::move(found));
}

void CheckedSetup::check(Faults& faults) const
{
    Faults found;
    auth::check_username(username, found);
    if (display_name) auth::check_display_name(*display_name, found);
    auth::check_password_length(password, "#/password", found);
    fields::add_unless_refused(faults, std::move(found));
}

void CheckedAcceptance::check(Faults& faults) const
{
    Faults found;
    auth::check_password_length(password, "#/password", found);
    fields::add_unless_refused(faults, std::move(found));
}

void CheckedReset::check(Faults& faults) const
{
    Faults found;
    auth::check_password_length(password, "#/password", found);
    fields::add_unless_refused(faults, std::move(found));
}

}  // namespace parley::api
