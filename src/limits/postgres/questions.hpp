// Decides on requests in the database: one thread with one connection, which asks about everything
// that waits with one statement.
//
// Threads: submit() from any thread.
#pragma once

#include "base/error.hpp"
#include "base/mutex.hpp"
#include "base/task.hpp"
#include "limits/postgres/options.hpp"
#include "store/postgres/prepared_link.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace parley::limits::postgres {

// The answer for one key; times are in nanoseconds.
struct KeyAnswer {
    bool admitted = false;  // The whole request.
    std::int64_t remaining = 0;
    std::int64_t wait = 0;  // Until one more is free.
    std::int64_t mark = 0;
    std::int64_t now = 0;  // Since 1970.
};
using KeyAnswers = std::vector<KeyAnswer>;

// A request: its keys, and the limit of each.
struct Asked {
    enum class What { admit, peek, give_back };

    What what = What::admit;
    std::vector<std::string> ids = {};
    std::vector<std::int64_t> most = {};
    std::vector<std::int64_t> marks = {};  // To be given back.
};

struct Question : Asked {
    Question(Asked asked, Completion<Result<KeyAnswers>> when_done)
        : Asked(std::move(asked)), answer(std::move(when_done))
    {
    }

    Completion<Result<KeyAnswers>> answer;
};

class Questions {
public:
    explicit Questions(const Options& options);
    // Answers those that wait.
    ~Questions();
    Questions(const Questions&) = delete;
    Questions& operator=(const Questions&) = delete;

    // The answers are in the order of the keys. Fails with storage_unavailable, also if it is
    // unknown whether the request was counted, and with overloaded.
    void submit(Question question);

private:
    using Batch = std::vector<Question>;

    void work();
    bool wait_for_questions(Batch& batch);
    void answer(Batch batch);
    void refuse_waiting();
    // Again if nothing has happened.
    template <class Work>
    Result<> attempt(const Work& work);
    void connect();
    void ask(const Batch& batch, std::vector<KeyAnswers>& answers);
    void give_back(const Batch& batch);
    void sweep();

    const Options options_;
    std::unique_ptr<store::postgres::PreparedLink> link_;
    std::chrono::steady_clock::time_point give_up_at_;
    std::chrono::steady_clock::time_point next_sweep_;

    Mutex mutex_;
    Condition filled_;
    std::deque<Question> waiting_ GUARDED_BY(mutex_);
    bool is_closing_ GUARDED_BY(mutex_) = false;
    std::thread thread_;  // Last: it uses all the others.
};

}  // namespace parley::limits::postgres
