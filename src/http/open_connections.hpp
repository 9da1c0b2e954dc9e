// The open connections of one loop, for their server: to close them at shutdown, and to close the
// longest idle one when there is no place for a new one.
//
// Threads: of one loop, except longest_idle().
#pragma once

#include "base/clock.hpp"

#include <boost/intrusive/list.hpp>

#include <atomic>

namespace parley::http {

class OpenConnection {
public:
    virtual ~OpenConnection() = default;
    virtual void close_if_idle() = 0;
    // Ends it: a stream after the current frame, or at once if called again.
    virtual void cut() = 0;

private:
    friend class OpenConnections;
    using Hook = boost::intrusive::list_member_hook<
        boost::intrusive::link_mode<boost::intrusive::auto_unlink>>;
    Hook among_open_;
    Hook among_idle_;
    SteadyPoint idle_since_;
};

class OpenConnections {
public:
    // Until it is destroyed.
    void add(OpenConnection& connection) { open_.push_back(connection); }

    // The connection waits for a request, or no longer does.
    void became_idle(OpenConnection& connection, SteadyPoint now);
    void became_busy(OpenConnection& connection);

    // False if none is idle.
    bool close_longest_idle();

    // Since when the connection that close_longest_idle() would close is idle; the maximum time if
    // none is. From any thread, so the result may be outdated.
    SteadyPoint longest_idle() const
    {
        return SteadyPoint(SteadyPoint::duration(longest_idle_.load()));
    }

    void for_each(void (OpenConnection::*action)());

private:
    template <OpenConnection::Hook OpenConnection::* hook>
    using List = boost::intrusive::list<
        OpenConnection, boost::intrusive::member_hook<OpenConnection, OpenConnection::Hook, hook>,
        boost::intrusive::constant_time_size<false>>;

    void publish();

    List<&OpenConnection::among_open_> open_;
    List<&OpenConnection::among_idle_> idle_;  // Longest idle first.
    std::atomic<SteadyPoint::rep> longest_idle_{SteadyPoint::max().time_since_epoch().count()};
};

}  // namespace parley::http
