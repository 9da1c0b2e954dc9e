#include "auth/passwords.hpp"

#include "auth/password_strength.hpp"
#include "base/normal_form.hpp"
#include "base/random.hpp"

#include <sodium.h>

#include <array>
#include <stdexcept>

namespace parley::auth {
namespace {

bool matches(const std::string& hash, const Secret& password)
{
    const std::string_view text = password.reveal();
    return crypto_pwhash_str_verify(hash.c_str(), text.data(), text.size()) == 0;
}

}  // namespace

PasswordHasher::PasswordHasher() : PasswordHasher(Options{}) {}

PasswordHasher::PasswordHasher(Options options) : cost_(options.cost), thread_(options.most_waiting)
{
    if (sodium_init() < 0) throw std::runtime_error("The system's random number generator failed.");
    auto hash = make_hash(Secret(random_base62(32)));
    if (!hash)
        throw std::runtime_error("Not enough memory to hash a password: give the program " +
                                 std::to_string(cost_.memory >> 20U) + " MiB more.");
    nobodys_hash_ = *std::move(hash);
}

Task<Result<std::string>> PasswordHasher::hash_new(Secret password,
                                                   std::vector<std::string> known_words,
                                                   std::string where)
{
    if (auto length = judge_length(password); !length)
        co_return refused(std::move(length).error(), std::move(where));

    co_return co_await thread_.run<std::string>(
        [this, password = std::move(password), words = std::move(known_words),
         where = std::move(where)]() -> Result<std::string> {
            const Secret normal = composed(password);
            // Accents that were sent as characters of their own do not count.
            if (auto length = judge_length(normal); !length)
                return refused(std::move(length).error(), where);
            if (auto strength = judge_strength(normal, words); !strength)
                return refused(std::move(strength).error(), where);
            return make_hash(normal);
        });
}

Task<Result<std::string>> PasswordHasher::hash(Secret password)
{
    co_return co_await thread_.run<std::string>(
        [this, password = std::move(password)] { return make_hash(composed(password)); });
}

Task<Result<Verdict>> PasswordHasher::verify(std::string stored_hash, Secret password)
{
    if (password.reveal().size() > longest_password) co_return Verdict::wrong;
    co_return co_await thread_.run<Verdict>([this, stored = std::move(stored_hash),
                                             password = std::move(password)]() -> Result<Verdict> {
        return compare(stored, password);
    });
}

Task<Result<Verdict>> PasswordHasher::verify_nobody(Secret password)
{
    // For an empty hash, compare() does the same amount of work.
    return verify({}, std::move(password));
}

Result<std::string> PasswordHasher::make_hash(const Secret& normal_password) const
{
    const std::string_view text = normal_password.reveal();
    std::array<char, crypto_pwhash_STRBYTES> hash{};
    if (crypto_pwhash_str_alg(hash.data(), text.data(), text.size(), cost_.passes, cost_.memory,
                              crypto_pwhash_ALG_ARGON2ID13) != 0)
        return Error{.code = Errc::overloaded,
                     .message = "The server is short of memory.",
                     .detail = "crypto_pwhash_str_alg failed"};
    return std::string(hash.data());
}

Verdict PasswordHasher::compare(const std::string& stored_hash, const Secret& password) const
{
    const Secret normal = composed(password);
    const int other_cost =
        crypto_pwhash_str_needs_rehash(stored_hash.c_str(), cost_.passes, cost_.memory);
    const bool is_hash = other_cost >= 0;
    const bool same = matches(is_hash ? stored_hash : nobodys_hash_, normal);
    if (!is_hash || !same) return Verdict::wrong;
    return other_cost == 0 ? Verdict::ok : Verdict::ok_but_old;
}

}  // namespace parley::auth
