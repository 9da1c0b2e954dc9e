#include "base/sealer.hpp"

#include <gtest/gtest.h>

#include <string>

namespace parley {
namespace {

using namespace std::string_literals;

TEST(Sealer, OpensWhatItHasSealed)
{
    const Sealer sealer(Secret(std::string(32, 'k')), "tests");
    const std::string sealed = sealer.seal("whk_1", Secret("whsec_text"));
    EXPECT_EQ(sealed.find("whsec"), sealed.npos);
    EXPECT_NE(sealer.seal("whk_1", Secret("whsec_text")), sealed);  // A nonce of its own.
    EXPECT_EQ(Sealer(Secret(std::string(32, 'k')), "tests").open("whk_1", sealed).value().reveal(),
              "whsec_text");
}

TEST(Sealer, OpensNothingElse)
{
    const Sealer sealer(Secret(std::string(32, 'k')), "tests");
    std::string sealed = sealer.seal("whk_1", Secret("whsec_text"));
    EXPECT_FALSE(sealer.open("whk_2", sealed));
    EXPECT_FALSE(Sealer(Secret(std::string(32, 'l')), "tests").open("whk_1", sealed));
    EXPECT_FALSE(Sealer(Secret(std::string(32, 'k')), "others").open("whk_1", sealed));
    EXPECT_FALSE(sealer.open("whk_1", ""));
    EXPECT_FALSE(sealer.open("whk_1", sealed.substr(0, 30)));
    for (std::size_t i = 0; i < sealed.size(); ++i) {
        sealed[i] = static_cast<char>(sealed[i] ^ 1);
        EXPECT_FALSE(sealer.open("whk_1", sealed)) << i;
        sealed[i] = static_cast<char>(sealed[i] ^ 1);
    }
}

}  // namespace
}  // namespace parley
