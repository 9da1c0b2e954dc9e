// The images of a prompt, loaded from the store when the model is about to get them. A prompt has a
// limit, and all prompts together have one: those that would exceed it wait.
//
// Threads: PromptMemory from any thread; PromptImages on the loop of its run.
#pragma once

#include "base/error.hpp"
#include "base/mutex.hpp"
#include "base/task.hpp"
#include "engine/engine.hpp"
#include "store/store.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace parley::chat {

// The memory of all prompts with images of a server. A user can have half of it: a model that is
// slow to answer holds it for long.
class PromptMemory {
public:
    static constexpr std::size_t all = std::size_t{256} * 1024 * 1024;
    static constexpr std::size_t of_user = all / 2;

    // False if there is not enough.
    bool take(const std::string& user, std::size_t bytes);
    void give_back(const std::string& user, std::size_t bytes);
    std::size_t taken() const;

private:
    mutable Mutex mutex_;
    std::map<std::string, std::size_t> users_ GUARDED_BY(mutex_);
};

class PromptImages {
public:
    // The limit of one prompt. The oldest images are left out; the text says where they were.
    static constexpr std::size_t max_bytes = std::size_t{32} * 1024 * 1024;
    // A prompt has its images as they are stored, as the text of a request, and as the same text
    // while it is sent.
    static constexpr std::size_t copies = 4;
    static_assert(copies * max_bytes <= PromptMemory::of_user);

    PromptImages(store::Store& store, PromptMemory& memory, std::size_t limit = max_bytes)
        : store_(store), memory_(memory), limit_(limit)
    {
    }
    PromptImages(const PromptImages&) = delete;
    PromptImages& operator=(const PromptImages&) = delete;
    ~PromptImages() { release(); }

    // Replaces the paths of stored images by their data. Waits for memory until `is_stopped`, and
    // returns then with images that are not loaded. Fails with message_too_long if the images of
    // the last turn exceed the limit, with not_found if one of them is not stored, and as the store
    // does.
    Task<Result<>> load(const Owner& owner, std::vector<engine::Turn>& turns,
                        std::function<bool()> is_stopped);

    // The model has read the prompt.
    void release();

private:
    struct Stored;
    Task<Result<std::vector<Stored>>> choose(const Owner& owner, std::vector<engine::Turn>& turns);

    store::Store& store_;
    PromptMemory& memory_;
    const std::size_t limit_;
    std::string user_;  // Who has taken it.
    std::size_t taken_ = 0;
};

}  // namespace parley::chat
