// Makes and checks the hashes by which passwords are remembered: Argon2id, which is slow and takes
// much memory, so that whoever steals the hashes does not get the passwords. Passwords are taken
// whole, NUL bytes and all, and in NFC, so that every keyboard writes the same one.
//
// Threads: from any event loop. All hashing is done on one thread of its own, and only so much may
// wait for it: every function fails with overloaded beyond that, and with shutting_down at the end.
// Tasks may outlive the hasher, once they have begun.
#pragma once

#include "auth/hashing_thread.hpp"
#include "base/error.hpp"
#include "base/secret.hpp"
#include "base/task.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace parley::auth {

enum class Verdict {
    ok,
    ok_but_old,  // Right, but hashed with other parameters: a new hash should take its place.
    wrong,
};

// What one hash costs. The default is OWASP's least for Argon2id: 19 MiB and 2 passes.
struct HashCost {
    unsigned long long passes = 2;
    std::size_t memory = std::size_t{19} << 20U;  // In bytes.
};

class PasswordHasher {
public:
    struct Options {
        HashCost cost = {};
        std::size_t most_waiting = 64;
    };

    // Takes the time of one hash. Throws where there is no memory for it.
    PasswordHasher();
    explicit PasswordHasher(Options options);

    // Hashes a password that somebody wants to have from now on, if it is good enough; fails with
    // validation_failed at `where` (a pointer like #/password) otherwise. `known_words` are the
    // names of the user.
    Task<Result<std::string>> hash_new(Secret password, std::vector<std::string> known_words,
                                       std::string where);

    // Hashes a password that is in use already.
    Task<Result<std::string>> hash(Secret password);

    // Passwords that are too long are wrong without any work. So is each one where `stored_hash` is
    // not a hash, but with the work of one.
    Task<Result<Verdict>> verify(std::string stored_hash, Secret password);

    // For a user who does not exist: always wrong, after the same work, so that the time tells
    // nobody which users there are.
    Task<Result<Verdict>> verify_nobody(Secret password);

    // Nothing is begun any more. The destructor does the same, and waits for what is worked on.
    void close() { thread_.close(); }

private:
    Result<std::string> make_hash(const Secret& normal_password) const;
    Verdict compare(const std::string& stored_hash, const Secret& password) const;

    const HashCost cost_;
    std::string nobodys_hash_;
    HashingThread thread_;  // Last: what it works on uses the others.
};

}  // namespace parley::auth
