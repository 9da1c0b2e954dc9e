#include "http/client/parser.hpp"

#include "http/message.hpp"

#include <boost/beast/http/basic_parser.hpp>

#include <stdexcept>

namespace parley::http::client {
namespace {

namespace beast = boost::beast;
using BeastError = beast::http::error;

// Chunk extensions have no use here; a server could send long ones to waste our time.
constexpr std::size_t max_extension = 256;

constexpr std::size_t usual_count_of_fields = 8;

}  // namespace

// Collects Beast's results, and adds checks of the fields that define the end of the response.
class ResponseParser::Reader final : public beast::http::basic_parser<false> {
public:
    ClientHead head;
    std::string_view piece;
    const char* objection = nullptr;  // Set if the fault is ours and not Beast's.

    bool interim() const { return head.status < 200; }
    bool at_first_chunk() const { return is_header_done() && chunked() && !chunk_seen_; }

private:
    using View = beast::string_view;
    using Code = beast::error_code;

    void object(const char* why, Code& error)
    {
        objection = why;
        error = BeastError::bad_value;
    }

    void on_request_impl(beast::http::verb, View, View, int, Code&) override {}

    void on_response_impl(int status, View, int version, Code& error) override
    {
        head.status = status;
        http_1_0_ = version == 10;
        if (status < 100 || status > 599) object("a status that does not exist", error);
        if (status == 101) object("a protocol switch that was not requested", error);
    }

    void on_field_impl(beast::http::field field, View name, View value, Code& error) override
    {
        if (in_body_) return;  // A trailer; not requested.
        if (field == beast::http::field::transfer_encoding) {
            // Beast would treat any other value as a body without a length. It refuses "chunked"
            // itself if it is repeated or beside a Content-Length.
            if (!same_name(value, "chunked"))
                return object("an unsupported transfer coding", error);
            if (http_1_0_) return object("a transfer coding in HTTP/1.0", error);
        }
        head.fields.push_back({std::string(name), std::string(value)});
    }

    void on_header_impl(Code&) override { in_body_ = true; }
    void on_body_init_impl(const boost::optional<std::uint64_t>&, Code&) override {}

    std::size_t on_body_impl(View body, Code&) override
    {
        piece = body;
        return body.size();
    }

    void on_chunk_header_impl(std::uint64_t, View extension, Code& error) override
    {
        chunk_seen_ = true;
        if (extension.size() > max_extension) object("a chunk with too long extensions", error);
    }

    std::size_t on_chunk_body_impl(std::uint64_t, View body, Code&) override
    {
        piece = body;
        return body.size();
    }

    void on_finish_impl(Code&) override {}

    bool http_1_0_ = false;
    bool in_body_ = false;
    bool chunk_seen_ = false;
};

ResponseParser::ResponseParser(bool bodiless, Limits limits) : bodiless_(bodiless), limits_(limits)
{
    start_reader();
}

ResponseParser::ResponseParser(ResponseParser&&) noexcept = default;
ResponseParser& ResponseParser::operator=(ResponseParser&&) noexcept = default;
ResponseParser::~ResponseParser() = default;

void ResponseParser::start_reader()
{
    reader_ = std::make_unique<Reader>();
    reader_->head.fields.reserve(usual_count_of_fields);
    reader_->skip(bodiless_);
    reader_->header_limit(static_cast<std::uint32_t>(limits_.head));
    if (limits_.body)
        reader_->body_limit(*limits_.body);
    else
        reader_->body_limit(boost::none);
}

boost::system::result<ResponseParser::Step, ResponseParser::Fault> ResponseParser::feed(
    std::string_view input)
{
    const auto head_too_large = [this] {
        return Fault{ClientFailure::too_large,
                     "a head of more than " + std::to_string(limits_.head) + " bytes"};
    };
    Step step;
    reader_->piece = {};
    while (!done() && step.body.empty() && step.used < input.size()) {
        const std::string_view rest = input.substr(step.used);
        // Beast asserts that it sees at least five bytes of a last chunk that is also the first.
        if (reader_->at_first_chunk() && rest.front() == '0' && rest.size() < 5) break;

        const bool in_head = !head_done();
        beast::error_code error;
        const std::size_t used = reader_->put(boost::asio::buffer(rest), error);
        const bool needs_more = error == BeastError::need_more;
        step.used += used;
        step.body = reader_->piece;
        if (in_head) {
            // Beast does not count bytes that it has consumed.
            head_size_ += used;
            const std::size_t known = head_size_ + (needs_more ? rest.size() - used : 0);
            if (known > limits_.head || error == BeastError::header_limit) return head_too_large();
        }
        if (needs_more) break;
        if (error == BeastError::body_limit)
            return Fault{
                ClientFailure::too_large,
                "a body of more than " + std::to_string(limits_.body.value_or(0)) + " bytes"};
        if (error)
            return Fault{ClientFailure::malformed,
                         reader_->objection ? reader_->objection
                                            : "something that is not HTTP: " + error.message()};
        if (!in_head) continue;
        if (!reader_->interim()) break;
        start_reader();
    }
    return step;
}

bool ResponseParser::end_of_input()
{
    if (!head_done()) return false;
    beast::error_code error;
    reader_->put_eof(error);
    return !error;
}

bool ResponseParser::head_done() const { return reader_->is_header_done(); }
bool ResponseParser::done() const { return reader_->is_done(); }
bool ResponseParser::keep_alive() const { return reader_->keep_alive(); }
const ClientHead& ResponseParser::head() const { return reader_->head; }
ClientHead ResponseParser::take_head() { return std::move(reader_->head); }

void throw_exception_from_error(const ResponseParser::Fault& fault,
                                const boost::source_location& where)
{
    throw std::logic_error("unchecked fault at " + where.to_string() + ": " + fault.what);
}

}  // namespace parley::http::client
