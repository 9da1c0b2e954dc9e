#include "api/body_thread.hpp"

#include "base/json.hpp"

namespace parley::api {

Task<Result<boost::json::value>> BodyThread::parse(const std::string& text)
{
    if (text.size() <= small_bytes) co_return json::parse(text);
    co_return co_await offload(pool_, [&text] { return json::parse(text); });
}

}  // namespace parley::api
