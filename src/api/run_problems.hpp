// The errors of runs as problems: the fields that do not belong to a request.
//
// Threads: from any thread.
#pragma once

#include "chat/run_errors.hpp"

#include <string>
#include <utility>

namespace parley::api {

class RunProblems final : public chat::RunErrors {
public:
    explicit RunProblems(std::string public_url) : public_url_(std::move(public_url)) {}

    RunError stored(const Error& error) const override;
    boost::json::object shown(const RunError& error) const override;

private:
    const std::string public_url_;
};

}  // namespace parley::api
