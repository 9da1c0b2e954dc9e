#include "fields/add_fault.hpp"

#include <gtest/gtest.h>

namespace parley::fields {
namespace {

std::vector<std::string> places_of(const Faults& faults)
{
    std::vector<std::string> places;
    for (const Fault& each : faults) places.push_back(each.where);
    return places;
}

TEST(AddFault, ARefusedValueGetsNoSecondFault)
{
    Faults faults{{"#/name", "too_short", ""}, {"#/items/1", "wrong_type", ""}};
    add_unless_refused(faults, {{"#/name", "invalid", ""},
                                {"#/names", "invalid", ""},
                                {"#/items", "too_long", ""},
                                {"#/items/1/name", "invalid", ""},
                                {"#/items/10/name", "invalid", ""}});
    EXPECT_EQ(places_of(faults), (std::vector<std::string>{"#/name", "#/items/1", "#/names",
                                                           "#/items", "#/items/10/name"}));
}

TEST(AddFault, FaultsOfTheSameValueThatAreFoundTogetherAreAllAdded)
{
    Faults faults;
    add_unless_refused(
        faults, {{"#/message", "unknown_variable", ""}, {"#/message", "unknown_variable", ""}});
    EXPECT_EQ(faults.size(), 2U);
}

TEST(AddFault, ABodyThatIsNoObjectHasNoFurtherFaults)
{
    Faults faults{{"#", "wrong_type", ""}};
    add_unless_refused(faults, {{"#/name", "required", ""}});
    EXPECT_EQ(faults.size(), 1U);
}

}  // namespace
}  // namespace parley::fields
