# precompiled(<target>), precompiled_test(<target>): parse the large headers that nearly every
# source includes once per build folder, not once per source. Measured over 56 sources of base, http
# and api: 42% less CPU time. Tests have a separate set, because they are compiled with other
# options (cmake/room.cmake).
#
# `make lint` does not use them, so that every source still includes what it uses.
option(PARLEY_PCH "Precompile the headers of Boost and the standard library" OFF)

set(heavy_headers
    <boost/asio/awaitable.hpp> <boost/asio/co_spawn.hpp> <boost/asio/io_context.hpp>
    <boost/asio/ip/tcp.hpp> <boost/asio/steady_timer.hpp> <boost/asio/thread_pool.hpp>
    <boost/asio/use_awaitable.hpp> <boost/json.hpp> <boost/system/result.hpp> <fmt/format.h>
    <chrono> <functional> <memory> <optional> <string> <string_view> <unordered_map> <vector>)

if(PARLEY_PCH)
    # A cached precompiled header is valid whatever its timestamp is.
    add_compile_options("SHELL:-Xclang -fno-pch-timestamp")
endif()

function(precompiled target)
    if(NOT PARLEY_PCH)
        return()
    endif()
    if(TARGET room_base AND NOT target STREQUAL "room_base")
        target_precompile_headers(${target} REUSE_FROM room_base)
        return()
    endif()
    target_precompile_headers(${target} PRIVATE ${heavy_headers})
endfunction()

function(precompiled_test target)
    if(NOT PARLEY_PCH)
        return()
    endif()
    if(NOT TARGET test_headers)
        set(nothing ${PROJECT_BINARY_DIR}/test_headers.cpp)
        file(CONFIGURE OUTPUT ${nothing} CONTENT "// Lends its precompiled headers to the tests.\n")
        add_library(test_headers OBJECT EXCLUDE_FROM_ALL ${nothing})
        compiled_as_test(test_headers)
        target_link_libraries(test_headers PRIVATE Boost::json fmt::fmt GTest::gmock)
        target_precompile_headers(test_headers PRIVATE ${heavy_headers} <gmock/gmock.h> <gtest/gtest.h>)
    endif()
    target_precompile_headers(${target} REUSE_FROM test_headers)
endfunction()
