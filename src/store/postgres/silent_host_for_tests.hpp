// A host that accepts connections and says nothing, like a primary that was stopped.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <string>
#include <string_view>

namespace parley::store::postgres {

class SilentHost {
public:
    // The URL, with this host before its own.
    std::string before(std::string url) const
    {
        constexpr std::string_view key = "?host=";
        url.insert(url.find(key) + key.size(), "127.0.0.1,");
        return url + "&port=" + port() + ",5432";
    }
    // A URL of this host alone.
    std::string url() const { return "postgresql://127.0.0.1:" + port() + "/p?sslmode=disable"; }

private:
    std::string port() const { return std::to_string(acceptor_.local_endpoint().port()); }

    boost::asio::io_context loop_;
    boost::asio::ip::tcp::acceptor acceptor_{loop_, {boost::asio::ip::address_v4::loopback(), 0}};
};

}  // namespace parley::store::postgres
