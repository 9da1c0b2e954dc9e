// Limiters on one set of tables, for tests.
#pragma once

#include "base/block_on.hpp"
#include "limits/postgres/postgres_limiter.hpp"
#include "store/postgres/server_for_tests.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>

namespace parley::limits::postgres {

class Tables {
public:
    Tables() = default;
    ~Tables() { store::postgres::TestServer::instance().give_back(url); }
    Tables(const Tables&) = delete;
    Tables& operator=(const Tables&) = delete;

    Options options(const Limits& limits) const
    {
        return {.database = {.url = url},
                .limits = limits,
                .hash_key = std::make_shared<const Secret>("a key for tests"),
                .patience = std::chrono::minutes(1)};  // Machines that run tests may be slow.
    }

    const std::string url = store::postgres::TestServer::instance().take_tables();
};

class PostgresLimiterTest : public testing::Test {
protected:
    std::unique_ptr<PostgresLimiter> opened(const Limits& limits = {})
    {
        return PostgresLimiter::open(tables.options(limits)).value();
    }
    static Result<Decision> admit(Limiter& limiter, const Keys& keys, Class of = Class::chat)
    {
        return block_on(limiter.admit(of, keys).wait());
    }

    Tables tables;
    store::postgres::Link link{{.url = tables.url}, [] { return false; }};
};

}  // namespace parley::limits::postgres
