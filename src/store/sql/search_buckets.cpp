#include "store/sql/search_buckets.hpp"

#include <algorithm>

namespace parley::store::sql {
namespace {

constexpr std::int64_t docs_of_a_bucket = 16'384;

struct BucketColumns {
    const Statement* in;
    Column<std::int64_t> bucket{*in, "bucket"};
    Column<std::int64_t> docs{*in, "docs"};
    Column<std::int64_t> first_doc{*in, "first_doc"};
    Column<std::int64_t> last_doc{*in, "last_doc"};
};

Bucket bucket_of(const Query& row)
{
    const auto& at = row.columns<BucketColumns>();
    return {row[at.bucket], row[at.docs], row[at.first_doc], row[at.last_doc]};
}

}  // namespace

std::vector<Bucket> buckets_of(Connection& connection, std::int64_t owner)
{
    Query select = connection.query(
        "SELECT bucket, docs, first_doc, last_doc FROM search_buckets WHERE owner = ?1");
    select.bind(owner);
    std::vector<Bucket> buckets;
    while (select.next()) buckets.push_back(bucket_of(select));
    std::ranges::sort(buckets, std::ranges::greater(), &Bucket::last_doc);
    return buckets;
}

SearchWindow window_before(std::span<const Bucket> buckets, std::int64_t before, std::size_t count)
{
    SearchWindow window;
    for (const Bucket& each : buckets) {
        if (each.first_doc >= before) continue;
        // Without those that reach over `before`, the newest docs would be missed.
        if (each.last_doc < before && count-- == 0) {
            window.from = each.last_doc + 1;
            break;
        }
        window.buckets.push_back(each.bucket);
    }
    return window;
}

std::int64_t BucketFiller::bucket_for(std::int64_t owner, const Bucket& newest)
{
    Bucket& current = current_.try_emplace(owner, newest).first->second;
    if (current.docs >= docs_of_a_bucket) current = {.bucket = current.bucket + 1};
    ++current.docs;
    return current.bucket;
}

void AddedDocs::add(std::int64_t owner, std::int64_t bucket, std::int64_t doc)
{
    const Bucket first{.bucket = bucket, .docs = 0, .first_doc = doc, .last_doc = doc};
    Bucket& added = buckets_.try_emplace({owner, bucket}, first).first->second;
    ++added.docs;
    added.first_doc = std::min(added.first_doc, doc);
    added.last_doc = std::max(added.last_doc, doc);
}

void AddedDocs::store(Connection& connection) const
{
    for (const auto& [name, added] : buckets_) {
        Query insert = connection.query(
            "INSERT INTO search_buckets (owner, bucket, docs, first_doc, last_doc)"
            " VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (owner, bucket) DO UPDATE SET"
            " docs = search_buckets.docs + excluded.docs,"
            " first_doc = CASE WHEN search_buckets.first_doc < excluded.first_doc"
            " THEN search_buckets.first_doc ELSE excluded.first_doc END,"
            " last_doc = CASE WHEN search_buckets.last_doc > excluded.last_doc"
            " THEN search_buckets.last_doc ELSE excluded.last_doc END");
        insert.bind(name.first, added.bucket, added.docs, added.first_doc, added.last_doc).send();
    }
}

}  // namespace parley::store::sql
