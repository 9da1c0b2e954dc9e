// Parses a response from bytes, independent of sockets: head, body in pieces, end. Beast does the
// parsing; ambiguous responses that it accepts are refused here (a transfer coding other than
// chunked, or one in HTTP/1.0).
#pragma once

#include "http/client/client.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace parley::http::client {

class ResponseParser {
public:
    struct Limits {
        std::size_t head;
        std::optional<std::size_t> body;  // None: without end.
    };
    struct Step {
        std::size_t used = 0;   // Bytes of the input that were processed.
        std::string_view body;  // Within them.
    };
    struct Fault {
        ClientFailure kind;  // malformed or too_large.
        std::string what;    // Continues a sentence that begins with the sender.
    };

    // `bodiless`: the request was HEAD, whose response never has a body.
    ResponseParser(bool bodiless, Limits limits);
    ResponseParser(ResponseParser&&) noexcept;
    ResponseParser& operator=(ResponseParser&&) noexcept;
    ~ResponseParser();

    // `input` holds all received bytes that were not used yet. Parses up to the end of the head,
    // the next piece of the body or the end of the response; needs more input if it reaches none of
    // them.
    boost::system::result<Step, Fault> feed(std::string_view input);

    // The connection has ended. True if this is the regular end of the response.
    bool end_of_input();

    bool head_done() const;
    bool done() const;
    // After done(): whether the connection can be reused.
    bool keep_alive() const;
    const ClientHead& head() const;
    ClientHead take_head();

private:
    class Reader;
    void start_reader();

    bool bodiless_;
    Limits limits_;
    std::size_t head_size_ = 0;  // With the interim answers before it.
    std::unique_ptr<Reader> reader_;
};

[[noreturn]] void throw_exception_from_error(const ResponseParser::Fault& fault,
                                             const boost::source_location& where);

}  // namespace parley::http::client
