#include "api/services.hpp"

#include <gtest/gtest.h>

namespace parley::api {
namespace {

struct Bakery {
    int rolls = 3;
};
struct Dairy {};

TEST(Services, AreFoundByType)
{
    Bakery bakery;
    Services services;
    services.add(bakery);
    EXPECT_EQ(&services.get<Bakery>(), &bakery);
    EXPECT_TRUE(services.has(ServiceKey::of<const Bakery>()));
    EXPECT_FALSE(services.has(ServiceKey::of<Dairy>()));
}

TEST(Services, SayWhichOneIsMissing)
{
    const Services services;
    try {
        services.get<Bakery>();
        FAIL();
    } catch (const std::logic_error& error) {
        EXPECT_NE(std::string(error.what()).find("Bakery"), std::string::npos);
    }
}

TEST(Services, ThatAreConstAreNotHandedOutForChanging)
{
    const Bakery bakery{};
    Services services;
    services.add(bakery);
    EXPECT_EQ(&services.get<const Bakery>(), &bakery);
    EXPECT_FALSE(services.has(ServiceKey::of<Bakery>()));
}

TEST(Services, RefuseASecondOfTheSameType)
{
    Bakery one;
    Bakery other;
    Services services;
    services.add(one);
    EXPECT_THROW(services.add(other), std::logic_error);
}

}  // namespace
}  // namespace parley::api
