// Exports whose connection to the database is lost.
#include "store/moving_contract_fixture.hpp"
#include "store/postgres/trial_for_tests.hpp"

#include <functional>
#include <utility>

namespace parley::store {
namespace {

// Calls a function once, in the middle.
class DisturbedExport final : public RecordedExport {
public:
    explicit DisturbedExport(std::function<void()> disturb) : disturb_(std::move(disturb)) {}

    void session(const Session& session) override
    {
        RecordedExport::session(session);
        if (const auto disturb = std::exchange(disturb_, nullptr)) disturb();
    }

private:
    std::function<void()> disturb_;
};

class ExportTest : public MovingContract {
protected:
    postgres::Link link{{.url = static_cast<const PostgresStoreOnTrial&>(*trial).url()},
                        [] { return false; }};
};

TEST_F(ExportTest, BeginsAgainIfItsConnectionIsLost)
{
    ASSERT_TRUE(imported(new_import(anas, 3)));
    const auto sink = std::make_shared<DisturbedExport>([this] {
        link.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
            " WHERE application_name = 'parley' AND pid <> pg_backend_pid()");
    });
    ASSERT_TRUE(block_on(store->moving().export_data(anas, std::nullopt, sink)));
    EXPECT_EQ(sink->lines, exported(anas).lines);
    EXPECT_EQ(sink->messages.size(), 3U);
}

}  // namespace
}  // namespace parley::store
