// The contract tests of the server's own keys.
#pragma once

#include "store/contract_fixture.hpp"

namespace parley::store {

template <class Maker>
class KeysContract : public ContractTest<Maker> {};

TYPED_TEST_SUITE_P(KeysContract);

TYPED_TEST_P(KeysContract, MakesAKeyOnceForEachPurpose)
{
    const auto key_for = [&](const char* purpose) {
        return std::string(run(this->store->keys().key_for(purpose)).value().reveal());
    };
    const std::string key = key_for("cursors");
    EXPECT_EQ(key.size(), Keys::size);
    EXPECT_EQ(key_for("cursors"), key);
    EXPECT_NE(key_for("others"), key);
    if (TypeParam::keeps) {
        this->reopen();
        EXPECT_EQ(key_for("cursors"), key);
    }
}

REGISTER_TYPED_TEST_SUITE_P(KeysContract, MakesAKeyOnceForEachPurpose);

}  // namespace parley::store
