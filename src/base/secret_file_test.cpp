#include "base/secret_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

namespace parley {
namespace {

class SecretFile : public ::testing::Test {
protected:
    ~SecretFile() override { std::filesystem::remove(file); }

    void write(std::string_view text, mode_t mode)
    {
        std::ofstream(file, std::ios::binary) << text;
        ASSERT_EQ(chmod(file.c_str(), mode), 0);
    }
    std::string fault(Privacy privacy = Privacy::group)
    {
        const auto read = read_secret_file(file, 8, privacy);
        return read ? "" : read.error().message;
    }

    const std::string file =
        std::filesystem::temp_directory_path() / ("secret_" + std::to_string(getpid()));
};

TEST_F(SecretFile, IsReadUpToItsLimit)
{
    write("0123456789", 0600);
    EXPECT_EQ(read_secret_file(file, 8, Privacy::none)->reveal(), "01234567");
    EXPECT_EQ(read_secret_file(file, 100, Privacy::none)->reveal(), "0123456789");
}

TEST_F(SecretFile, IsNotForOthers)
{
    for (const mode_t mode : {0604U, 0602U}) {
        write("secret", mode);
        EXPECT_EQ(fault(), "every user of this machine can read or change \"" + file +
                               "\": run `chmod o-rwx " + file + "`.");
    }
    write("secret", 0640);
    EXPECT_EQ(fault(Privacy::group), "");
    EXPECT_EQ(fault(Privacy::none),
              "other users can read or change \"" + file + "\": run `chmod 600 " + file + "`.");
}

TEST_F(SecretFile, HasToBeThere)
{
    EXPECT_EQ(fault(), "there is no file \"" + file + "\".");
    ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);  // Reading it would block the start.
    EXPECT_EQ(fault(), "there is no file \"" + file + "\".");
    std::filesystem::remove(file);
    write("", 0600);
    EXPECT_EQ(fault(), "\"" + file + "\" cannot be read, or is empty.");
}

}  // namespace
}  // namespace parley
