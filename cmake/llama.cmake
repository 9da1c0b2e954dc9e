# The embedded language model: target llama::llama, which is llama.cpp with its dependencies.
#
# A room uses it by `LINKS llama::llama` and includes <llama.h>; such a room() line is inside
# `if(PARLEY_LLAMA)`. An installed `llama` package is used first; if there is none, tools/llama
# fetches and builds one in the cache folder, once. The libraries are never instrumented, which
# works with AddressSanitizer but not with ThreadSanitizer, so the tsan preset omits them.
#
# GPU backends (PARLEY_CUDA, PARLEY_VULKAN) are files in the folder backends/ beside the program,
# which it loads if they exist (src/engine/llama/gpu.hpp). The program itself is the same with and
# without them.
#
# The weights of the embedded model are linked into the folder models/ beside the program, where it
# searches for them.
option(PARLEY_LLAMA "Build in llama.cpp, so that models run inside the program" ON)
option(PARLEY_PORTABLE "Build llama.cpp for other machines, too, instead of for this processor" OFF)
option(PARLEY_CUDA "Build the backend for NVIDIA GPUs; needs the CUDA toolkit" OFF)
set(PARLEY_CUDA_ARCHITECTURES "" CACHE STRING
    "GPUs that the CUDA backend is for, e.g. 89;90; empty: those of this machine, or of all with PARLEY_PORTABLE")
option(PARLEY_VULKAN "Build the backend for GPUs with Vulkan; needs libvulkan-dev, glslc and spirv-headers" OFF)

if(NOT PARLEY_LLAMA)
    return()
endif()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
             ${PROJECT_SOURCE_DIR}/tools/llama ${PROJECT_SOURCE_DIR}/third_party/llama.txt
             ${PROJECT_SOURCE_DIR}/third_party/weights.txt
             ${PROJECT_SOURCE_DIR}/cmake/gpu_backend/CMakeLists.txt)

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
elseif(PARLEY_CUDA OR PARLEY_VULKAN)
    message(FATAL_ERROR "An installed llama.cpp is used, which has GPU backends of its own: omit PARLEY_CUDA and PARLEY_VULKAN")
endif()
file(SHA256 ${PROJECT_SOURCE_DIR}/third_party/llama.txt llama_version)  # Part of the cache file's identity.
string(SUBSTRING "${llama_version}" 0 16 llama_source)  # The name that tools/llama gives to the source.
string(SUBSTRING "${llama_VERSION}-${llama_version}" 0 24 llama_version)
add_library(llama::llama INTERFACE IMPORTED)
target_link_libraries(llama::llama INTERFACE llama Threads::Threads ${CMAKE_DL_LIBS} m)
# Memory is allocated as conversations grow: src/engine/llama/lazy_cache.hpp.
target_link_options(llama::llama INTERFACE -Wl,--wrap=ggml_backend_buffer_clear)

# The functions of ggml that GPU backends call.
target_link_options(llama::llama INTERFACE -Wl,--export-dynamic-symbol=ggml_*
                                           -Wl,--export-dynamic-symbol=gguf_*)
foreach(backend cuda vulkan)
    string(TOUPPER PARLEY_${backend} wanted)
    set(file ${PROJECT_BINARY_DIR}/backends/libggml-${backend}.so)
    file(REMOVE ${file})
    if(${wanted})
        set(chosen ${arch})
        if(backend STREQUAL "cuda" AND PARLEY_CUDA_ARCHITECTURES)
            list(APPEND chosen --cuda-architectures "${PARLEY_CUDA_ARCHITECTURES}")
        endif()
        from_cache(built ${chosen} --backend ${backend})
        file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/backends)
        file(CREATE_LINK ${built} ${file} COPY_ON_ERROR SYMBOLIC)
    endif()
endforeach()

from_cache(weights --weights)
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/models)
get_filename_component(name ${weights} NAME)
file(REMOVE ${PROJECT_BINARY_DIR}/models/${name})
file(CREATE_LINK ${weights} ${PROJECT_BINARY_DIR}/models/${name} COPY_ON_ERROR)
