# The script of the reference page (/docs), fetched once by tools/scalar and embedded into the
# program: src/reference/embedded.cpp reads it if PARLEY_SCALAR_FILE is defined. Without it, /docs
# has the guides and links to /openapi.json.
option(PARLEY_SCALAR "Build in the page that shows the reference" ON)

if(PARLEY_SCALAR)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
                 ${PROJECT_SOURCE_DIR}/tools/scalar ${PROJECT_SOURCE_DIR}/third_party/scalar.txt)
    execute_process(COMMAND ${PROJECT_SOURCE_DIR}/tools/scalar OUTPUT_VARIABLE scalar_file
                    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    set(scalar_definition PARLEY_SCALAR_FILE="${scalar_file}")
endif()

# The assembler reads embedded files, which no dependency scanner sees.
file(GLOB guides CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/guides/*.md)
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/reference/embedded.cpp PROPERTIES
    SKIP_PRECOMPILE_HEADERS ON  # Which knows none of these names.
    COMPILE_DEFINITIONS "PARLEY_GUIDES=\"${PROJECT_SOURCE_DIR}/docs/guides\";${scalar_definition}"
    OBJECT_DEPENDS "${guides};${scalar_file}")
