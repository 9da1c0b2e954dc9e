// Parts of an owner's index. Its messages are in buckets of a few thousand, in the order in which
// they were indexed, and a word of the index belongs to one bucket. A search reads the newest
// buckets first and stops when its page is full. So its time does not depend on how many messages
// an owner has, also for frequent words and for the beginning of words, of which a database reads
// all that it finds in a bucket.
//
// Mostly the messages of a bucket are newer than those of the bucket before it; imported ones may
// be of any time.
#pragma once

#include "store/sql/connection.hpp"

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace parley::store::sql {

struct Bucket {
    std::int64_t bucket = 0;
    std::int64_t docs = 0;       // That were added to it.
    std::int64_t first_doc = 0;  // The lowest, and the highest.
    std::int64_t last_doc = 0;
};

// The one with the highest last_doc first.
std::vector<Bucket> buckets_of(Connection& connection, std::int64_t owner);

// Docs from `from` on can only be in these buckets.
struct SearchWindow {
    std::vector<std::int64_t> buckets = {};
    std::int64_t from = 0;
};

// The window before a doc that has the newest `count` buckets, and those that overlap with them.
SearchWindow window_before(std::span<const Bucket> buckets, std::int64_t before, std::size_t count);

// Chooses buckets for new messages.
class BucketFiller {
public:
    // `newest`: the bucket with the highest number that the owner has.
    std::int64_t bucket_for(std::int64_t owner, const Bucket& newest);

private:
    std::map<std::int64_t, Bucket> current_;  // By owner.
};

// Messages that were added to buckets.
class AddedDocs {
public:
    void add(std::int64_t owner, std::int64_t bucket, std::int64_t doc);
    // To be called once.
    void store(Connection& connection) const;

private:
    std::map<std::pair<std::int64_t, std::int64_t>, Bucket> buckets_;  // By owner and number.
};

}  // namespace parley::store::sql
