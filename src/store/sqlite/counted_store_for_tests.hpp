// A store in a file of its own that counts its commits, for tests of what is changed in several.
#pragma once

#include "store/contract_fixture.hpp"
#include "store/sqlite/directory_for_tests.hpp"
#include "store/sqlite/sqlite_store.hpp"

#include <atomic>
#include <filesystem>
#include <memory>
#include <utility>

namespace parley::store::sqlite {

struct CountedStore final : StoreOnTrial {
    std::atomic<int> commits = 0;
    TestDirectory directory;
    std::filesystem::path file = directory / "parley.db";

    std::unique_ptr<Store> open() override
    {
        return std::move(open_sqlite_store(
                             {.file = file, .on_commit = [this](std::size_t, auto) { ++commits; }}))
            .value();
    }
    bool keeps() const override { return true; }
};

}  // namespace parley::store::sqlite
