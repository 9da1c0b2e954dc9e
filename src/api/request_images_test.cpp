#include "api/request_images.hpp"

#include "base/block_on.hpp"
#include "chat/images.hpp"

#include <gtest/gtest.h>

namespace parley::api {
namespace {

const std::string gif = chat::data_url({.media_type = "image/gif", .bytes = "GIF89a"});

InputImage image_with(const std::string& url)
{
    return {.at = 3, .url = std::make_shared<const std::string>(url), .where = "#/image"};
}

// The code of the fault; empty if it is taken.
std::string fault_of(const std::string& url, bool sees_images, bool is_stored)
{
    Faults faults;
    RequestImages images(sees_images, is_stored);
    const auto taken = images.take(image_with(url), faults);
    EXPECT_EQ(taken.has_value(), faults.empty());
    EXPECT_EQ(images.first_place(), "#/image");
    if (taken) EXPECT_EQ(taken->at, 3U);
    return faults.empty() ? "" : faults.front().code;
}

TEST(RequestImages, AreStoredOncePerContent)
{
    Faults faults;
    RequestImages images(true, true);
    const auto first = images.take(image_with(gif), faults);
    const auto again = images.take(image_with(gif), faults);
    ASSERT_TRUE(first && again && faults.empty());
    const auto stored = images.take_stored();
    ASSERT_EQ(stored.size(), 1U);
    EXPECT_EQ(stored[0].bytes, "GIF89a");
    EXPECT_EQ(*first->url, path_of_image(stored[0].sha256));
    EXPECT_EQ(*again->url, *first->url);
}

TEST(RequestImages, CanBeDecodedByAnotherThread)
{
    boost::asio::thread_pool thread{1};
    std::vector<InputImage> given{image_with(gif), image_with("data:image/gif;base64,AAAA"),
                                  image_with(path_of_image(std::string(64, 'a')))};
    for (std::size_t i = 0; i < RequestImages::max_stored; ++i) given.push_back(image_with(gif));
    RequestImages images(true, true);
    const auto decoded = [&]() -> Task<int> {
        co_await images.decode(thread, given);
        co_return 0;
    };
    block_on(decoded());
    Faults faults;
    std::size_t taken = 0;
    for (const InputImage& image : given) taken += images.take(image, faults).has_value() ? 1U : 0U;
    EXPECT_EQ(taken, RequestImages::max_stored - 1) << "one is no GIF";
    ASSERT_EQ(faults.size(), 1U + given.size() - RequestImages::max_stored);
    EXPECT_EQ(faults[0].code, "not_allowed");
    EXPECT_EQ(faults[1].code, "too_long");
    EXPECT_EQ(images.take_stored().size(), 1U);
}

TEST(RequestImages, AreTakenAsTheirUseAllows)
{
    const std::string stored = path_of_image(std::string(64, 'a'));
    const std::string elsewhere = "https://example.org/a.png";
    for (const std::string& url : {gif, stored, elsewhere})
        EXPECT_EQ(fault_of(url, false, true), "unsupported_parameter") << url;
    EXPECT_EQ(fault_of(gif, true, true), "");
    EXPECT_EQ(fault_of(stored, true, true), "");
    EXPECT_EQ(fault_of(elsewhere, true, true), "unsupported_parameter");
    EXPECT_EQ(fault_of("data:image/gif;base64,AAAA", true, true), "not_allowed");
    EXPECT_EQ(fault_of("file:///etc/passwd", true, true), "not_allowed");
    EXPECT_EQ(fault_of(elsewhere, true, false), "");
    EXPECT_EQ(fault_of("data:anything", true, false), "") << "its model decides";
    EXPECT_EQ(fault_of("file:///etc/passwd", true, false), "not_allowed");
}

TEST(RequestImages, HaveALimitIfTheyAreStored)
{
    for (const bool is_stored : {true, false}) {
        Faults faults;
        RequestImages images(true, is_stored);
        for (std::size_t i = 0; i < RequestImages::max_stored; ++i)
            EXPECT_TRUE(images.take(image_with(gif), faults));
        EXPECT_EQ(images.take(image_with(gif), faults).has_value(), !is_stored);
    }
}

}  // namespace
}  // namespace parley::api
