# The embedded language model: target llama::llama, which is llama.cpp with its dependencies.
#
# A room uses it by `LINKS llama::llama` and includes <llama.h>; such a room() line is inside
# `if(PARLEY_LLAMA)`. An installed `llama` package is used first; if there is none, tools/llama
# fetches and builds one in the cache folder, once. The libraries are never instrumented, which
# works with AddressSanitizer but not with ThreadSanitizer, so the tsan preset omits them.
#
# The weights of the embedded model are linked into the folder models/ beside the program, where it
# searches for them.
option(PARLEY_LLAMA "Build in llama.cpp, so that models run inside the program" ON)
option(PARLEY_PORTABLE "Build llama.cpp for other machines, too, instead of for this processor" OFF)

if(NOT PARLEY_LLAMA)
    return()
endif()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
             ${PROJECT_SOURCE_DIR}/tools/llama ${PROJECT_SOURCE_DIR}/third_party/llama.txt
             ${PROJECT_SOURCE_DIR}/third_party/weights.txt)

# from_cache(<variable> <option>...): the output of tools/llama, which creates the files first.
function(from_cache variable)
    execute_process(COMMAND ${PROJECT_SOURCE_DIR}/tools/llama ${ARGN} OUTPUT_VARIABLE path
                    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    set(${variable} ${path} PARENT_SCOPE)
endfunction()

find_package(llama 0.5 CONFIG QUIET)
if(NOT llama_FOUND)
    set(arch)
    if(CMAKE_CROSSCOMPILING)
        set(arch --arch ${CMAKE_SYSTEM_PROCESSOR})
    endif()
    if(PARLEY_PORTABLE)
        list(APPEND arch --portable)
    endif()
    from_cache(llama_folder ${arch})
    unset(llama_LIBRARY CACHE)  # It may belong to a build with other flags.
    find_package(llama REQUIRED CONFIG PATHS ${llama_folder} NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH)
    unset(llama_DIR CACHE)  # So that the next run does not take it for an installed one.
    unset(ggml_DIR CACHE)
    add_compile_options(-ffile-prefix-map=${llama_folder}/=llama.cpp/)
endif()
file(SHA256 ${PROJECT_SOURCE_DIR}/third_party/llama.txt llama_version)  # Part of the cache file's identity.
string(SUBSTRING "${llama_VERSION}-${llama_version}" 0 24 llama_version)
add_library(llama::llama INTERFACE IMPORTED)
target_link_libraries(llama::llama INTERFACE llama Threads::Threads ${CMAKE_DL_LIBS} m)
# Memory is allocated as conversations grow: src/engine/llama/lazy_cache.hpp.
target_link_options(llama::llama INTERFACE -Wl,--wrap=ggml_backend_buffer_clear)

from_cache(weights --weights)
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/models)
get_filename_component(name ${weights} NAME)
file(REMOVE ${PROJECT_BINARY_DIR}/models/${name})
file(CREATE_LINK ${weights} ${PROJECT_BINARY_DIR}/models/${name} COPY_ON_ERROR)
