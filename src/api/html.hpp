// The few HTML pages that the server writes itself: one plain style, nothing loaded from other
// hosts, and a policy that forbids the browser to run or load anything.
#pragma once

#include "api/static_resource.hpp"
#include "http/message.hpp"

#include <string>
#include <string_view>

namespace parley::api {

std::string escape_html(std::string_view text);

// A whole document. The title is text, the content HTML.
std::string html_page(std::string_view title, std::string_view content);

// The policy forbids the browser to run or load anything but the style sheet of html_page().
http::Response html_response(std::string page);

// The same for a page that clients may cache: its type is html_type.
inline constexpr const char* html_type = "text/html; charset=utf-8";
http::Response html_response(const StaticResource& page, const http::RequestHead& head,
                             std::string_view varies_by = "Accept-Encoding");

}  // namespace parley::api
