// Rows of servers that share a database, as the cluster writes them.
#pragma once

#include "store/chat_contract_fixture.hpp"
#include "store/postgres/trial_for_tests.hpp"

#include <cstdint>
#include <string>

namespace parley::store {

class ReplicaContractTest : public ChatContractTest {
protected:
    std::int64_t add_replica() { return postgres::add_replica(link); }
    void fence(std::int64_t replica) { postgres::fence_replica(link, replica); }
    std::string text(const std::string& sql) { return link.text(sql); }

    const std::string url = static_cast<const PostgresStoreOnTrial&>(*trial).url();
    postgres::Link link{{.url = url}, [] { return false; }};
    const std::int64_t me = add_replica();
    const std::int64_t other = add_replica();
};

}  // namespace parley::store
