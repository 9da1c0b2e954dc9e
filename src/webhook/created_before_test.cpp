#include "webhook/created_before.hpp"

#include "base/block_on.hpp"

#include <gtest/gtest.h>

#include <string>

namespace parley::webhook {
namespace {

struct Thing {
    std::string id;
};

// Knows the answer to every key.
struct Things {
    Task<Result<std::optional<Thing>>> find_replay(Owner /*owner*/, store::KeyClaim /*key*/)
    {
        ++asked;
        co_return known;
    }

    Result<std::optional<Thing>> known = std::optional<Thing>();
    int asked = 0;
};

class CreatedBeforeTest : public testing::Test {
protected:
    Result<Thing> retried(Errc failure)
    {
        return block_on(
            created_before<Thing>(things, Owner{"usr_1", false}, {}, Error{failure, "No."}));
    }

    Things things;
};

TEST_F(CreatedBeforeTest, ARefusedRetryGetsWhatItsRequestHasCreated)
{
    things.known = std::optional(Thing{"aut_1"});
    EXPECT_EQ(retried(Errc::validation_failed).value().id, "aut_1");
    EXPECT_EQ(retried(Errc::quota_reached).value().id, "aut_1");
    EXPECT_EQ(retried(Errc::not_found).value().id, "aut_1") << "its session, for instance";
}

TEST_F(CreatedBeforeTest, ARefusalStandsIfNothingWasCreated)
{
    EXPECT_EQ(retried(Errc::validation_failed).error().code, Errc::validation_failed);
    EXPECT_EQ(things.asked, 1);
}

TEST_F(CreatedBeforeTest, ARetryIsToldWhatItsKeyIsBoundTo)
{
    for (const Errc told :
         {Errc::not_found, Errc::idempotency_mismatch, Errc::storage_unavailable}) {
        things.known = Error{told, "It is gone."};
        EXPECT_EQ(retried(Errc::validation_failed).error().code, told);
    }
}

TEST_F(CreatedBeforeTest, WhatMayBeLostIsNotToldAsASuccess)
{
    things.known = std::optional(Thing{"aut_1"});
    for (const Errc failure : {Errc::storage_unavailable, Errc::overloaded, Errc::shutting_down,
                               Errc::internal, Errc::lost_ownership})
        EXPECT_EQ(retried(failure).error().code, failure);
    EXPECT_EQ(things.asked, 0);
}

}  // namespace
}  // namespace parley::webhook
