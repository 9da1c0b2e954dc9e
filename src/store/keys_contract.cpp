// The contract tests of the server's own keys.
#include "store/contract_fixture.hpp"

namespace parley::store {
namespace {

class KeysContract : public ContractTest {};

TEST_F(KeysContract, MakesAKeyOnceForEachPurpose)
{
    const auto key_for = [&](const char* purpose) {
        return std::string(block_on(store->keys().key_for(purpose)).value().reveal());
    };
    const std::string key = key_for("cursors");
    EXPECT_EQ(key.size(), Keys::size);
    EXPECT_EQ(key_for("cursors"), key);
    EXPECT_NE(key_for("others"), key);
    if (keeps()) {
        reopen();
        EXPECT_EQ(key_for("cursors"), key);
    }
}

}  // namespace
}  // namespace parley::store
