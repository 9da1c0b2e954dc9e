# room(<folder> [USES <room>...] [LINKS <library>...] [TESTS <room>...])
#
# Builds a folder of src/ as a library, and its *_test.cpp files as one test program. New files are
# found by themselves. USES is also what tools/check_floors.py allows the folder to include; its
# tests may use more (TESTS).
#
# A *_fuzz.cpp file is a libFuzzer target of its own, built where PARLEY_FUZZ is on (tools/fuzz).
# main.cpp belongs to no library: it is a program of its own.
option(BUILD_TESTING "Build the tests of the rooms" ON)
option(PARLEY_FUZZ "Build the fuzz targets (clang only)" OFF)
option(PARLEY_FAULTS "Build in a disk that fails on demand, for tests (never for people)" OFF)
add_custom_target(fuzzers)

function(room folder)
    cmake_parse_arguments(ROOM "" "" "USES;LINKS;TESTS" ${ARGN})
    string(REPLACE "/" "_" name ${folder})
    file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cpp)
    list(FILTER sources EXCLUDE REGEX "/main\\.cpp$")
    set(tests ${sources})
    set(fuzzers ${sources})
    list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
    list(FILTER fuzzers INCLUDE REGEX "_fuzz\\.cpp$")
    list(FILTER sources EXCLUDE REGEX "_(test|fuzz)\\.cpp$")
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

    if(tests AND BUILD_TESTING)
        add_executable(${name}_test ${tests})
        precompiled(${name}_test)
        target_link_libraries(${name}_test PRIVATE room_${name} ${ROOM_TESTS} GTest::gmock GTest::gtest_main)
        add_test(NAME ${name} COMMAND ${name}_test)
    endif()
    if(PARLEY_FUZZ)
        foreach(file ${fuzzers})
            get_filename_component(target ${file} NAME_WE)
            add_executable(${target} ${file})
            precompiled(${target})
            set_target_properties(${target} PROPERTIES
                RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/fuzzers)
            target_link_options(${target} PRIVATE -fsanitize=fuzzer)
            target_link_libraries(${target} PRIVATE room_${name})
            add_dependencies(fuzzers ${target})
        endforeach()
    endif()
endfunction()
