// Makes and checks password hashes: Argon2id, which is slow and takes much memory, so that stolen
// hashes do not reveal the passwords. All bytes of a password count, also NUL bytes; it is hashed
// in NFC, so that the keyboard makes no difference.
//
// Threads: from any event loop. One separate thread does all hashing, with a bounded queue: every
// function fails with overloaded if it is full, and with shutting_down at the end. Tasks may
// outlive the hasher, once they have begun.
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
    ok_but_old,  // Right, but hashed with other parameters: to be replaced by a new hash.
    wrong,
};

// The cost of one hash. The default is OWASP's minimum for Argon2id: 19 MiB and 2 passes.
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

    // Takes the time of one hash. Throws if there is no memory for it.
    PasswordHasher();
    explicit PasswordHasher(Options options);

    // Hashes a new password, if it is strong enough; fails with validation_failed at `where` (a
    // pointer like #/password) otherwise. `known_words` are the names of the user.
    Task<Result<std::string>> hash_new(Secret password, std::vector<std::string> known_words,
                                       std::string where);

    // Hashes an existing password, without judging it.
    Task<Result<std::string>> hash(Secret password);

    // A password that is too long is wrong without hashing. If `stored_hash` is not a hash, every
    // password is wrong, after the work of one hash.
    Task<Result<Verdict>> verify(std::string stored_hash, Secret password);

    // For a user who does not exist: always wrong, after the same work, so that the time does not
    // reveal which users exist.
    Task<Result<Verdict>> verify_nobody(Secret password);

    // Starts no more work. The destructor does the same, and waits for the running job.
    void close() { thread_.close(); }

private:
    Result<std::string> make_hash(const Secret& normal_password) const;
    Verdict compare(const std::string& stored_hash, const Secret& password) const;

    const HashCost cost_;
    std::string nobodys_hash_;
    HashingThread thread_;  // Last: its jobs use the other members.
};

}  // namespace parley::auth
