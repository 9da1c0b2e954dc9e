# Cross-compiles for aarch64 against the Debian sysroot that tools/cross_aarch64 unpacks. Libraries,
# headers and packages come only from there, programs from this machine; tests run under qemu.
if(DEFINED ENV{PARLEY_CACHE})
    set(CMAKE_SYSROOT $ENV{PARLEY_CACHE}/aarch64/sysroot)
elseif(DEFINED ENV{XDG_CACHE_HOME})
    set(CMAKE_SYSROOT $ENV{XDG_CACHE_HOME}/parley/aarch64/sysroot)
else()
    set(CMAKE_SYSROOT $ENV{HOME}/.cache/parley/aarch64/sysroot)
endif()

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER_TARGET aarch64-linux-gnu)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static -L ${CMAKE_SYSROOT})

set(CMAKE_FIND_ROOT_PATH ${CMAKE_SYSROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_LIBDIR} ${CMAKE_SYSROOT}/usr/lib/aarch64-linux-gnu/pkgconfig:${CMAKE_SYSROOT}/usr/share/pkgconfig)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${CMAKE_SYSROOT})
