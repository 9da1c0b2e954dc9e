// The events of a response, made from the events of its run, so that their numbers and bytes are
// the same whenever and wherever they are read again. An answer that is only text:
//
//   event of the run       events of the response
//   1       created        0 response.created, 1 response.in_progress
//   2       first delta    2 response.output_item.added, 3 response.content_part.added,
//                          4 response.output_text.delta
//   n       later delta    n + 2 response.output_text.delta
//   n       the last one   response.output_text.done, response.content_part.done,
//                          response.output_item.done, and the end of the response
//
// If there was no delta, the last one begins the message, too, unless the response has none.
//
// An answer that may call functions has a number of items that only its text tells. So these
// numbers are counted from the first event of the run on: a reader that has some of the events
// reads the run from its beginning, too.
//
// Threads: values.
#pragma once

#include "api/response_items.hpp"
#include "api/wire/response.hpp"
#include "http/exchange.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace parley::api {

class ResponseEvents {
public:
    // `created`: the response when it was created. Events up to number `seen` are left out; -1:
    // none.
    ResponseEvents(ResponseView created, const AnswerForm& form, std::int64_t seen = -1);

    // The number of the last event of the run that need not be read for this reader. `last`: the
    // number of the run's last event, or 0 while it is active.
    std::int64_t run_events_seen(std::int64_t last) const;
    // The events of the run are read from the next one on.
    void skip_run_events(std::int64_t count);

    // Each returns what is to be sent; null: nothing.
    http::Frame begin();
    http::Frame pieces(std::span<const std::string> deltas);
    // The whole text, for a stream whose deltas are no longer stored. `number`: of the run's last
    // delta.
    http::Frame whole_text(const std::string& text, std::int64_t number);
    // One frame for each event at the end: they repeat the text.
    std::vector<http::Frame> end(const ResponseView& ended);

    // The reader claims to have events that were not made yet.
    bool is_behind_reader() const { return seen_ >= next_; }
    // The reader has a part of the answer, so it cannot be given the whole text.
    bool reader_has_text() const;

private:
    void begin(std::string& out);
    void add(std::string& out, const std::vector<engine::AnswerPart>& parts);
    void add_delta(std::string& out, const std::string& text);
    void add_text(std::string& out, const std::string& text);
    void add_arguments(std::string& out, const std::string& text);
    void begin_item(std::string& out, ResponseItem item);
    void close_item(std::string& out);
    std::vector<std::string> closing(const ResponseItem& item);
    std::int64_t index() const { return static_cast<std::int64_t>(items_) - 1; }
    template <class Event>
    void append(std::string& out, Event event);

    ResponseView created_;
    ItemMaker maker_;
    std::optional<engine::AnswerReader> reader_;  // If the answer may call functions.
    std::int64_t seen_;
    std::int64_t next_ = 0;
    bool has_begun_ = false;
    std::size_t items_ = 0;   // That have begun.
    ResponseItem item_ = {};  // The last of them; its text is collected only if there is a reader.
};

}  // namespace parley::api
