# Options for every file of ours: warnings are errors, sanitizers by preset, and hardening in the
# release.
set(PARLEY_SANITIZE "" CACHE STRING "Sanitizers of this build, e.g. address,undefined or thread")

add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
                    -Wnon-virtual-dtor -Woverloaded-virtual -Wimplicit-fallthrough -Werror)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    add_compile_options(-Wthread-safety)  # For base/mutex.hpp.
endif()
# Containers check indexes and emptiness: cheap enough for the release, too.
add_compile_definitions(_GLIBCXX_ASSERTIONS)
# Rooms are linked only into executables, so PIE is enough and cheaper than PIC.
add_compile_options(-fPIE)
add_link_options(-pie)

# Paths relative to the repository, in debug data and __FILE__, whether the compiler gets an
# absolute path or, by ccache, one relative to the build folder: a build contains no paths of its
# machine.
file(RELATIVE_PATH up ${PROJECT_BINARY_DIR} ${PROJECT_SOURCE_DIR})
add_compile_options(-ffile-prefix-map=${PROJECT_SOURCE_DIR}/= -ffile-prefix-map=${up}=
                    -fdebug-compilation-dir=.)

# Asio's code is compiled once, in base/asio.cpp, instead of in every file that includes it.
add_compile_definitions(BOOST_ASIO_SEPARATE_COMPILATION BOOST_ASIO_NO_DEPRECATED
                        BOOST_ASIO_DISABLE_BOOST_ARRAY BOOST_ASIO_DISABLE_BOOST_BIND
                        BOOST_BEAST_SEPARATE_COMPILATION)

if(PARLEY_SANITIZE)
    add_compile_options(-fsanitize=${PARLEY_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${PARLEY_SANITIZE})
else()
    # A request takes about 30 coroutine frames, of which Asio recycles 2 by default. Sanitizers see more faults in
    # frames that are not recycled.
    add_compile_definitions(BOOST_ASIO_RECYCLING_ALLOCATOR_CACHE_SIZE=16)
endif()

# tools/check_hardening.py checks all of this in the binary.
if(CMAKE_BUILD_TYPE STREQUAL "Release")
    add_compile_options(-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3 -fstack-protector-strong
                        -fstack-clash-protection -ftrivial-auto-var-init=zero)
    add_link_options(-Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack)
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
        add_compile_options(-fcf-protection=full)
        add_link_options(-Wl,-z,shstk)
    elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
        add_compile_options(-mbranch-protection=standard)
    endif()
endif()

# ccache, if it is installed. The settings let it serve other clones, and precompiled headers.
find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}
        CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
endif()
