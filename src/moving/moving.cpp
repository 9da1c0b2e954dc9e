#include "moving/moving.hpp"

#include "moving/bounds.hpp"
#include "moving/formats.hpp"

namespace parley::moving {
namespace {

Result<Conversation> read(Format format, const boost::json::object& conversation, TimePoint now,
                          const std::string& pointer)
{
    switch (format) {
        case Format::chatgpt:
            return read_chatgpt(conversation, now, pointer);
        case Format::open_webui:
            return read_open_webui(conversation, now, pointer);
        case Format::parley:
            break;
    }
    return read_parley(conversation, now, pointer);
}

}  // namespace

Result<Conversation> read_conversation(Format format, const boost::json::object& conversation,
                                       TimePoint now, const std::string& pointer)
{
    auto made = read(format, conversation, now, pointer);
    if (made) keep_to_bounds(*made);
    return made;
}

}  // namespace parley::moving
