#include "limits/postgres/postgres_limiter.hpp"

#include "base/sha256.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace parley::limits::postgres {
namespace {

using std::chrono::ceil;
using std::chrono::nanoseconds;
using std::chrono::seconds;

Result<> check_shared(const Limits& limits)
{
    struct Named {
        const char* name;
        std::uint32_t limit;
    };
    for (const Named& each :
         {Named{"limits.chat", limits.chat}, Named{"limits.auth", limits.auth},
          Named{"limits.auth_address", limits.auth_address.value_or(0)},
          Named{"limits.general", limits.general}, Named{"limits.hook", limits.hook}})
        if (each.limit > Options::max_limit)
            return invalid_request(
                fmt::format("{} is {}: with store.url, whose limits all servers share, it must be "
                            "at most {}.",
                            each.name, each.limit, Options::max_limit));
    return {};
}

// See limiter.hpp.
bool is_never_given_back(Class of, Key::Kind kind)
{
    return of == Class::general ||
           (of == Class::auth && (kind == Key::Kind::account || kind == Key::Kind::login));
}

Decision decision_of(Class of, const Limits& limits, std::int64_t limit, Key::Kind kind)
{
    return {.of = of,
            .limit = static_cast<std::uint32_t>(limit),
            .window = limits.window,
            .tightest = kind};
}

}  // namespace

Result<std::unique_ptr<PostgresLimiter>> PostgresLimiter::open(Options options)
{
    if (auto right = check(options.limits); !right) return right.error();
    if (auto right = check_shared(options.limits); !right) return right.error();
    return std::unique_ptr<PostgresLimiter>(new PostgresLimiter(std::move(options)));
}

PostgresLimiter::PostgresLimiter(Options options)
    : options_(std::move(options)), refusals_(options_.memory), questions_(options_)
{
}

// Keys are hashed: a name without an account may be a password typed into the wrong field.
std::string PostgresLimiter::id_of(Class of, const Key& key) const
{
    std::string text(options_.hash_key->reveal());
    text += static_cast<char>(of);
    text += static_cast<char>(key.kind());
    text += key.bytes();
    const Sha256 hash = sha256(text);
    return {hash.begin(), hash.end()};
}

std::uint32_t PostgresLimiter::limit_of(Class of, const Key& key) const
{
    if (key.own_limit() > 0) return std::min(key.own_limit(), Limits::max_own_limit);
    if (key.kind() == Key::Kind::address) return options_.limits.of_address(of);
    if (key.kind() == Key::Kind::network) return options_.limits.of_network(of);
    return options_.limits.of(of);
}

PostgresLimiter::Counted PostgresLimiter::counted(Class of, const Keys& keys) const
{
    Counted counted{.of = of};
    for (std::size_t i = 0; i < keys.all().size(); ++i) {
        const Key& key = keys.all()[i];
        std::string id = id_of(of, key);
        const auto known = std::ranges::find(counted.ids, id);
        if (known != counted.ids.end()) {
            std::int64_t& most = counted.most.at(known - counted.ids.begin());
            most = std::min<std::int64_t>(most, limit_of(of, key));
            continue;
        }
        counted.ids.push_back(std::move(id));
        counted.most.push_back(limit_of(of, key));
        counted.kinds.push_back(key.kind());
        counted.places.push_back(i);
    }
    return counted;
}

Ready<Result<Decision>> PostgresLimiter::admit(Class of, const Keys& keys)
{
    Counted asked = counted(of, keys);
    if (auto refused = remembered(asked)) return Result<Decision>(*refused);
    return decide(std::move(asked), Asked::What::admit);
}

Ready<Result<Decision>> PostgresLimiter::peek(Class of, const Keys& keys)
{
    return decide(counted(of, keys), Asked::What::peek);
}

Task<Result<>> PostgresLimiter::give_back(Class of, Keys keys, Receipt receipt)
{
    Asked returned{.what = Asked::What::give_back};
    for (std::size_t i = 0; i < keys.all().size(); ++i) {
        if (receipt.marks.at(i) == 0) continue;
        returned.ids.push_back(id_of(of, keys.all()[i]));
        returned.marks.push_back(static_cast<std::int64_t>(receipt.marks.at(i)));
    }
    if (returned.ids.empty()) co_return Result<>();
    const std::vector<std::string> ids = returned.ids;
    const auto given = co_await ask(std::move(returned));
    refusals_.forget(ids);
    if (!given) co_return given.error();
    co_return Result<>();
}

std::optional<Decision> PostgresLimiter::remembered(const Counted& counted)
{
    const SteadyPoint now = options_.clock->steady();
    const auto found = refusals_.find(counted.ids, counted.most, now);
    if (!found) return std::nullopt;
    const std::size_t key = found->index;
    Decision decision =
        decision_of(counted.of, options_.limits, counted.most[key], counted.kinds[key]);
    decision.reset = decision.retry_after = ceil<seconds>(found->refusal.frees_at - now);
    decision.reset_at = ceil<seconds>(nanoseconds(found->refusal.frees_at_wall)).count();
    return decision;
}

Task<Result<KeyAnswers>> PostgresLimiter::ask(Asked asked)
{
    return await_callback<Result<KeyAnswers>>(
        [this, asked = std::move(asked)](Completion<Result<KeyAnswers>> answer) mutable {
            questions_.submit(Question(std::move(asked), std::move(answer)));
        });
}

Task<Result<Decision>> PostgresLimiter::decide(Counted counted, Asked::What what)
{
    const SteadyPoint asked_at = options_.clock->steady();
    const auto answers = co_await ask({.what = what, .ids = counted.ids, .most = counted.most});
    if (!answers) co_return answers.error();
    if (answers->front().admitted)
        refusals_.forget(counted.ids);
    else if (what == Asked::What::admit)
        remember(counted, *answers, asked_at);
    co_return told(counted, *answers);
}

// The decision was made after it was asked for, so that its wait does not end before `asked_at`
// plus that wait.
void PostgresLimiter::remember(const Counted& counted, const KeyAnswers& answers,
                               SteadyPoint asked_at)
{
    for (std::size_t i = 0; i < answers.size(); ++i) {
        const KeyAnswer& answer = answers[i];
        // It has admissions left, though it was refused before.
        if (answer.remaining > 0) {
            refusals_.forget({&counted.ids[i], 1});
            continue;
        }
        refusals_.note(counted.ids[i],
                       {.limit = counted.most[i],
                        .noted_at = asked_at,
                        .is_final = options_.memory > options_.memory.zero() &&
                                    is_never_given_back(counted.of, counted.kinds[i]),
                        .frees_at = asked_at + nanoseconds(answer.wait),
                        .frees_at_wall = answer.now + answer.wait});
    }
}

// The numbers of the tightest key.
Decision PostgresLimiter::told(const Counted& counted, const KeyAnswers& answers) const
{
    std::size_t tightest = 0;
    for (std::size_t i = 1; i < answers.size(); ++i) {
        const KeyAnswer& best = answers[tightest];
        if (answers[i].remaining < best.remaining ||
            (answers[i].remaining == best.remaining && answers[i].wait > best.wait))
            tightest = i;
    }
    const KeyAnswer& answer = answers[tightest];
    Decision decision =
        decision_of(counted.of, options_.limits, counted.most[tightest], counted.kinds[tightest]);
    decision.admitted = answer.admitted;
    decision.remaining = static_cast<std::uint32_t>(answer.remaining);
    decision.reset = ceil<seconds>(nanoseconds(answer.wait));
    if (!decision.admitted) decision.retry_after = decision.reset;
    decision.reset_at = ceil<seconds>(nanoseconds(answer.now + answer.wait)).count();
    for (std::size_t i = 0; i < answers.size(); ++i)
        decision.receipt.marks.at(counted.places[i]) = static_cast<std::uint64_t>(answers[i].mark);
    return decision;
}

}  // namespace parley::limits::postgres
