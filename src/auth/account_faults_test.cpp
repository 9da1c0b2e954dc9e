#include "auth/account_faults.hpp"

#include <gtest/gtest.h>

namespace parley::auth {
namespace {

using Found = std::vector<std::pair<std::string, std::string>>;

Found places_and_codes(const Faults& faults)
{
    Found found;
    for (const Fault& fault : faults) found.emplace_back(fault.where, fault.code);
    return found;
}

TEST(AccountFaults, OfNamesAndAPasswordAreListedTogether)
{
    Faults faults;
    check_username("a\tb", faults);
    check_display_name("line\nbreak", faults);
    check_password_length("мама", "#/password", faults);
    EXPECT_EQ(places_and_codes(faults), (Found{{"#/username", "not_allowed"},
                                               {"#/display_name", "not_allowed"},
                                               {"#/password", "too_short"}}));
}

TEST(AccountFaults, AreNoneOfWhatIsAllowed)
{
    Faults faults;
    check_username("ana", faults);
    check_display_name("", faults);
    check_password_length("password", "#/password", faults);  // Its strength is judged later.
    check_password_length(std::string(1024, 'x'), "#/password", faults);
    EXPECT_TRUE(faults.empty());
}

TEST(AccountFaults, OfAPasswordCountItsCharactersAsTheyAreHashed)
{
    Faults faults;
    check_password_length("e\u0301a\u0301o\u0301u\u0301", "#/new_password", faults);
    check_password_length(std::string(1025, 'x'), "#/new_password", faults);
    EXPECT_EQ(places_and_codes(faults),
              (Found{{"#/new_password", "too_short"}, {"#/new_password", "too_long"}}));
}

}  // namespace
}  // namespace parley::auth
