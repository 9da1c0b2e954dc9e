// Schemas from text, for tests.
#pragma once

#include "base/json.hpp"
#include "schema/reader.hpp"
#include "schema/schema.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>
#include <string>
#include <vector>

namespace parley::schema {

inline std::vector<std::string> faults_of(const std::string& text)
{
    const auto parsed = json::parse(text);
    EXPECT_TRUE(parsed) << text;
    Faults faults;
    const fields::Reading reading{.faults = faults};
    const auto schema = check(*parsed, fields::FieldPath(reading, "#"));
    EXPECT_EQ(schema == nullptr, !faults.empty());
    std::vector<std::string> found;
    for (const Fault& fault : faults) found.push_back(fault.where + " " + fault.code);
    return found;
}

inline SchemaRef made(const std::string& text)
{
    EXPECT_THAT(faults_of(text), testing::ElementsAre());
    auto schema = restored(text);
    EXPECT_TRUE(schema);
    return schema ? schema : any_object();
}

// One that check() may refuse because its grammar would take too long.
inline Schema unchecked(const std::string& text)
{
    const auto parsed = json::parse(text);
    EXPECT_TRUE(parsed) << text;
    Faults faults;
    const fields::Reading reading{.faults = faults};
    Schema schema = read_schema(*parsed, fields::FieldPath(reading, "#"));
    EXPECT_TRUE(faults.empty()) << text;
    return schema;
}

inline std::string smallest(const std::string& text)
{
    const auto schema = made(text);
    const std::string value = smallest_of(*schema);
    EXPECT_TRUE(valid(*schema, value)) << value;
    return value;
}

}  // namespace parley::schema
