// A folder for each test, and limiters in it with a clock and a boot id that the test controls.
#pragma once

#include "base/random.hpp"
#include "limits/local/local_limiter.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>

namespace parley::limits::local {

inline const Key usr_1 = Key::user("usr_1");

class ScratchFolder {
public:
    ScratchFolder() : path_(std::filesystem::path(testing::TempDir()) / random_base62(16))
    {
        std::filesystem::create_directory(path_);
    }
    ~ScratchFolder() { std::filesystem::remove_all(path_); }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

class LocalLimiterTest : public testing::Test {
protected:
    // One place in a table of its own for each of these.
    LocalLimiter::Options options()
    {
        return {.file = file,
                .limits = limits,
                .users = users,
                .addresses = addresses,
                .logins = logins,
                .clock = &clock,
                .boot_id = boot};
    }
    void open()
    {
        limiter.reset();
        auto opened = LocalLimiter::open(options());
        ASSERT_TRUE(opened) << opened.error().message;
        limiter = std::move(*opened);
    }
    // The log lines of opening.
    std::string log_of_open()
    {
        testing::internal::CaptureStderr();
        open();
        return testing::internal::GetCapturedStderr();
    }
    Result<Decision> admit(Class of, const Keys& keys) { return limiter->admit(of, keys).take(); }
    int admits_of(int count, Class of, const Keys& keys)
    {
        int admitted = 0;
        for (int i = 0; i < count; ++i) admitted += admit(of, keys).value().admitted;
        return admitted;
    }
    std::uint32_t remaining(Class of, const Keys& keys)
    {
        return limiter->peek(of, keys).take().value().remaining;
    }

    ScratchFolder folder;
    std::filesystem::path file = folder.path() / "limits";
    ManualClock clock;
    std::string boot = "0c7e3b1e-4b52-4b0e-8f2e-6d1b2a3c4d5e";
    Limits limits;
    std::size_t users = 64;
    std::size_t addresses = 64;
    std::size_t logins = 64;
    std::unique_ptr<LocalLimiter> limiter;
};

}  // namespace parley::limits::local
