# The tests that look at the repository itself. They have the label `source`, for builds that run
# only the rooms' tests.
function(source_check name script)
    add_test(NAME ${name} COMMAND ${PROJECT_SOURCE_DIR}/tools/${script} ${ARGN}
             WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_tests_properties(${name} PROPERTIES LABELS source)
endfunction()

source_check(floors check_floors.py src)
source_check(architecture check_architecture.py .)
source_check(repository check_repository.py .)
