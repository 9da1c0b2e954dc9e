#include "schema/recent.hpp"

#include <algorithm>

namespace parley::schema {

SchemaRef Recent::find(std::string_view text)
{
    const MutexLock lock(mutex_);
    const auto found =
        std::ranges::find_if(schemas_, [&](const SchemaRef& each) { return each->text == text; });
    if (found == schemas_.end()) return nullptr;
    std::rotate(schemas_.begin(), found, std::next(found));
    return schemas_.front();
}

void Recent::keep(SchemaRef schema)
{
    const MutexLock lock(mutex_);
    schemas_.push_front(std::move(schema));
    if (schemas_.size() > max_schemas) schemas_.pop_back();
}

Recent& recent_schemas()
{
    static Recent recent;
    return recent;
}

}  // namespace parley::schema
