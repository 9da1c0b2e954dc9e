// Reads an answer from the bytes of a connection, free of sockets: head, body piece by piece, end.
// Beast does the parsing; what it would let through although it can be read in two ways is refused
// here (a transfer coding other than chunked, or one in HTTP/1.0).
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
        std::size_t used = 0;   // Bytes of the input that are dealt with.
        std::string_view body;  // Within them.
    };
    struct Fault {
        ClientFailure kind;  // malformed or too_large.
        std::string what;    // Continues a sentence that begins with who sent it.
    };

    // `bodiless`: the request was HEAD, whose answer has a head only, whatever that says.
    ResponseParser(bool bodiless, Limits limits);
    ResponseParser(ResponseParser&&) noexcept;
    ResponseParser& operator=(ResponseParser&&) noexcept;
    ~ResponseParser();

    // `input` is all that came and was not used yet. Goes on to the end of the head, the next piece
    // of the body or the end of the answer; needs more input if it reaches none of them.
    boost::system::result<Step, Fault> feed(std::string_view input);

    // The connection has ended. True if that is how the answer ends.
    bool end_of_input();

    bool head_done() const;
    bool done() const;
    // After done(): whether another answer may follow on this connection.
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
