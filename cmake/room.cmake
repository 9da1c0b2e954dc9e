# room(<folder> [USES <room>...] [LINKS <library>...] [TESTS <room>...] [CONTRACT <room>])
#
# Builds a folder of src/ as a library, and its *_test.cpp files as one test program. New files are
# found automatically. USES is also what tools/check_floors.py allows the folder to include; its
# tests may use more (TESTS).
#
# *_contract.cpp files are tests of a room for its adapters. They are compiled once, and are part of
# the test program of every room that names that room as its CONTRACT.
#
# A *_fuzz.cpp file is a separate libFuzzer target, built if PARLEY_FUZZ is on (tools/fuzz). Rooms
# that have one are then compiled with coverage counters for the fuzzer; otherwise they are the same
# as for their tests, so that nothing is compiled twice. Sources of a room are compiled eight at a
# time (CMAKE_UNITY_BUILD), so that templates are instantiated once for all of them: the release
# takes half the CPU time. So a name in an unnamed namespace must be unique in its room. `make lint`
# compiles each source separately.
#
# main.cpp belongs to no library: it is a separate program.
option(BUILD_TESTING "Build the tests of the rooms" ON)
option(PARLEY_FUZZ "Build the fuzz targets (clang only)" OFF)
option(PARLEY_FAULTS "Build in a disk that fails on demand, for tests (never for people)" OFF)
add_custom_target(fuzzers)

# Tests need no optimisation: without it, a test file compiles in 40% of the time.
function(compiled_as_test target)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Debug>:-O0>)
endfunction()

function(room folder)
    cmake_parse_arguments(ROOM "" "" "USES;LINKS;TESTS;CONTRACT" ${ARGN})
    string(REPLACE "/" "_" name ${folder})
    file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cpp)
    list(FILTER sources EXCLUDE REGEX "/main\\.cpp$")
    set(tests ${sources})
    set(contracts ${sources})
    set(fuzzers ${sources})
    list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
    list(FILTER contracts INCLUDE REGEX "_contract\\.cpp$")
    list(FILTER fuzzers INCLUDE REGEX "_fuzz\\.cpp$")
    list(FILTER sources EXCLUDE REGEX "_(test|contract|fuzz)\\.cpp$")
    list(TRANSFORM ROOM_USES REPLACE "/" "_")
    list(TRANSFORM ROOM_USES PREPEND room_)
    list(TRANSFORM ROOM_TESTS REPLACE "/" "_")
    list(TRANSFORM ROOM_TESTS PREPEND room_)

    if(sources)
        set(scope PUBLIC)
        add_library(room_${name} STATIC ${sources})
        precompiled(room_${name})
    else()
        set(scope INTERFACE)  # Headers only.
        add_library(room_${name} INTERFACE)
    endif()
    target_include_directories(room_${name} ${scope} ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(room_${name} ${scope} ${ROOM_USES} ${ROOM_LINKS})

    if(contracts AND BUILD_TESTING)
        add_library(${name}_contract OBJECT EXCLUDE_FROM_ALL ${contracts})
        compiled_as_test(${name}_contract)
        precompiled_test(${name}_contract)
        target_link_libraries(${name}_contract PUBLIC room_${name} GTest::gmock)
    endif()
    if(tests AND BUILD_TESTING)
        add_executable(${name}_test ${tests})
        compiled_as_test(${name}_test)
        precompiled_test(${name}_test)
        target_link_libraries(${name}_test PRIVATE room_${name} ${ROOM_TESTS} GTest::gmock GTest::gtest_main)
        if(ROOM_CONTRACT)
            target_link_libraries(${name}_test PRIVATE ${ROOM_CONTRACT}_contract)
        endif()
        add_test(NAME ${name} COMMAND ${name}_test)
    endif()
    set(counted -fsanitize-coverage=inline-8bit-counters,pc-table)
    if(PARLEY_FUZZ AND (fuzzers OR folder STREQUAL "base"))  # All targets use base.
        target_compile_options(room_${name} PRIVATE ${counted})
    endif()
    if(PARLEY_FUZZ AND fuzzers)
        foreach(file ${fuzzers})
            get_filename_component(target ${file} NAME_WE)
            add_executable(${target} EXCLUDE_FROM_ALL ${file})
            precompiled(${target})
            target_compile_options(${target} PRIVATE ${counted})
            set_target_properties(${target} PROPERTIES
                RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/fuzzers)
            target_link_options(${target} PRIVATE -fsanitize=fuzzer)
            target_link_libraries(${target} PRIVATE room_${name})
            add_dependencies(fuzzers ${target})
        endforeach()
    endif()
endfunction()
