// Fuzzes a whole connection with all kinds of requests, in arbitrary pieces: pipelined, with both
// framings of bodies, with expectations, refused early, invalid, incomplete. It must not crash,
// must answer in order as a simple model says, and must end.
#include "http/driver_for_fuzz.hpp"

#include <array>

namespace {

using namespace parley::http;

class PlainLine {
public:
    PlainStream server_end(Loop& loop) { return PlainStream(pair_.server(loop)); }
    template <class Settle>
    void establish(Settle settle)
    {
        settle();
    }
    std::size_t send(std::string_view bytes)
    {
        const ssize_t count =
            ::send(pair_.client(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        return count > 0 ? static_cast<std::size_t>(count) : 0;
    }
    void receive(std::string& into)
    {
        std::array<char, 16384> piece;
        ssize_t count = 0;
        while ((count = ::recv(pair_.client(), piece.data(), piece.size(), MSG_DONTWAIT)) > 0)
            into.append(piece.data(), static_cast<std::size_t>(count));
    }
    void finish() { pair_.finish(); }
    void close() { pair_.close(); }

private:
    fuzz::SocketPair pair_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const fuzz::Scenario scenario = fuzz::make_scenario({data, size});
    fuzz::Driver<PlainLine>(scenario).run();
    return 0;
}
