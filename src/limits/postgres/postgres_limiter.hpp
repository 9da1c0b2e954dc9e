// Rate limits of servers that share a PostgreSQL database: exact for all of them together. Every
// decision is made in the database (store/postgres/limit_tables.hpp), by its clock; decisions that
// wait at the same time travel together.
//
// While the database does not answer, requests that count fail with storage_unavailable. A key
// takes a row while it was admitted in the last window, and a minute longer.
//
// Threads: from any event loop.
#pragma once

#include "limits/limiter.hpp"
#include "limits/postgres/options.hpp"
#include "limits/postgres/questions.hpp"
#include "limits/postgres/refusals.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace parley::limits::postgres {

class PostgresLimiter final : public Limiter {
public:
    // Fails with a message for the operator if a limit is too high to be shared. Connects later.
    static Result<std::unique_ptr<PostgresLimiter>> open(Options options);

    const Limits& limits() const override { return options_.limits; }
    Ready<Result<Decision>> admit(Class of, const Keys& keys) override;
    Ready<Result<Decision>> peek(Class of, const Keys& keys) override;
    Task<Result<>> give_back(Class of, Keys keys, Receipt receipt) override;

private:
    explicit PostgresLimiter(Options options);

    // The keys of a request, as the database needs them; those that are given twice are one.
    struct Counted {
        Class of = Class::general;
        std::vector<std::string> ids = {};
        std::vector<std::int64_t> most = {};
        std::vector<Key::Kind> kinds = {};
        std::vector<std::size_t> places = {};  // The key's index among those of the request.
    };
    Counted counted(Class of, const Keys& keys) const;
    std::string id_of(Class of, const Key& key) const;
    std::uint32_t limit_of(Class of, const Key& key) const;
    std::optional<Decision> remembered(const Counted& counted);
    Task<Result<Decision>> decide(Counted counted, Asked::What what);
    Task<Result<KeyAnswers>> ask(Asked asked);
    void remember(const Counted& counted, const KeyAnswers& answers, SteadyPoint asked_at);
    Decision told(const Counted& counted, const KeyAnswers& answers) const;

    const Options options_;
    Refusals refusals_;
    Questions questions_;
};

}  // namespace parley::limits::postgres
