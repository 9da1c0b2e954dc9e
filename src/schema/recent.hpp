// The schemas that were checked last. Programs send the same few again with each question, and a
// question's schema is needed again when it is answered.
//
// Threads: may be called from any thread.
#pragma once

#include "base/mutex.hpp"
#include "schema/schema.hpp"

#include <deque>

namespace parley::schema {

class Recent {
public:
    // One takes 2 MB at most.
    static constexpr std::size_t max_schemas = 16;

    // Null if it is not there.
    SchemaRef find(std::string_view text);

    void keep(SchemaRef schema);

private:
    Mutex mutex_;
    std::deque<SchemaRef> schemas_ GUARDED_BY(mutex_);  // The last used one first.
};

// Those of this process.
Recent& recent_schemas();

}  // namespace parley::schema
