// Splits a stream into pieces of complete events, unchanged, without parsing their content: enough
// to pass them on, to recognise the last one, and to refuse a response that is not a stream of
// events.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace parley::engine::upstream {

class EventCutter {
public:
    enum class State { going_on, ended, odd };

    explicit EventCutter(std::size_t longest_event) : longest_event_(longest_event) {}

    // The whole events that are complete with these bytes, or nothing; valid until the next call
    // and as long as the bytes are. Ends after `data: [DONE]`; what follows it is left out.
    std::string_view feed(std::string_view bytes);

    State state() const { return state_; }
    // The data of the first event; empty before it came. Valid as the events that it came with.
    std::string_view first_data() const { return first_data_; }

private:
    bool check(std::string_view& events);
    bool check_line(std::string_view line);

    const std::size_t longest_event_;
    std::string held_;       // An event that is not complete, behind what was given out last.
    std::size_t given_ = 0;  // Bytes of held_ that the caller may still look at.
    std::string_view first_data_;
    bool seen_data_ = false;
    State state_ = State::going_on;
};

}  // namespace parley::engine::upstream
