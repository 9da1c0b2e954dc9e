// HTTP messages: the head of a request as views into the received bytes, and a response.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parley::http {

struct Field {
    std::string_view name;
    std::string_view value;
};

// True if two names of fields are the same; they differ in case at most.
bool same_name(std::string_view a, std::string_view b);

// The head of a request that passed the framing gate. All views stay valid until the request has
// been answered.
struct RequestHead {
    std::string_view method;
    std::string_view path;   // Still percent-encoded; "*" for OPTIONS *.
    std::string_view query;  // Without its question mark, still percent-encoded.
    std::vector<Field> fields;
    std::optional<std::uint64_t> content_length;
    bool chunked = false;
    bool http_1_0 = false;
    bool keep_alive = true;
    bool expects_continue = false;

    // The value of the first field of that name.
    std::optional<std::string_view> field(std::string_view name) const;
    std::size_t count(std::string_view name) const;
};

// The header fields of a response, kept as the lines that will be sent.
class Fields {
public:
    // A line break inside a value would allow header injection, so it is a bug of the caller:
    // std::logic_error.
    void add(std::string_view name, std::string_view value);
    void add_all(const Fields& others) { lines_ += others.lines_; }
    // Replaces the first value of that name.
    void replace(std::string_view name, std::string_view value);
    std::optional<std::string_view> get(std::string_view name) const;
    const std::string& lines() const { return lines_; }

private:
    std::string lines_;
};

// The connection adds Date, Content-Length, Connection and Transfer-Encoding.
struct Response {
    int status = 200;
    Fields fields;
    std::string body;
    bool close = false;  // Ends the connection after this response.
    // Instead of `body`: bytes that are in memory anyway, and are not charged to the client.
    std::shared_ptr<const std::string> shared_body = {};

    std::string_view content() const { return shared_body ? *shared_body : body; }
};

std::string_view reason_phrase(int status);

}  // namespace parley::http
