# The web app (web/), built by tools/web and part of the program: src/api/web_files.hpp. Without it,
# / redirects to the reference.
option(PARLEY_WEB "Build in the web app" ON)

set(web_directory ${PROJECT_BINARY_DIR}/web)
set(web_list ${web_directory}/web_files.cpp)
if(PARLEY_WEB)
    file(GLOB_RECURSE web_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/web/src/*)
    add_custom_command(OUTPUT ${web_list}
        COMMAND ${PROJECT_SOURCE_DIR}/tools/web ${web_directory}
        DEPENDS ${web_sources} ${PROJECT_SOURCE_DIR}/tools/web ${PROJECT_SOURCE_DIR}/third_party/node.txt
                ${PROJECT_SOURCE_DIR}/web/index.html ${PROJECT_SOURCE_DIR}/web/package.json
                ${PROJECT_SOURCE_DIR}/web/package-lock.json ${PROJECT_SOURCE_DIR}/web/tsconfig.json
                ${PROJECT_SOURCE_DIR}/web/vite.config.ts ${PROJECT_SOURCE_DIR}/web/embed.mjs
        COMMENT "The web app" VERBATIM)
else()
    file(CONFIGURE OUTPUT ${web_list} CONTENT [[
#include "api/web_files.hpp"
std::span<const parley::api::WebFile> parley::api::web_files() { return {}; }
]])
endif()
set_source_files_properties(${web_list} PROPERTIES
    SKIP_PRECOMPILE_HEADERS ON COMPILE_DEFINITIONS PARLEY_WEB_DIRECTORY="${web_directory}")
target_sources(room_api PRIVATE ${web_list})
