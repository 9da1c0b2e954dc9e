# The tests of the repository itself. They have the label `source`, for builds that run only the
# tests of the rooms.
function(source_check name script)
    add_test(NAME ${name} COMMAND ${PROJECT_SOURCE_DIR}/tools/${script} ${ARGN}
             WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_tests_properties(${name} PROPERTIES LABELS source)
endfunction()

source_check(floors check_floors.py src)
source_check(architecture check_architecture.py .)
source_check(repository check_repository.py .)
source_check(test_stages check_test_stages.py .)

# Due times, compared with Python's zoneinfo. The script runs the program itself, without an
# emulator.
if(NOT CMAKE_CROSSCOMPILING)
    add_executable(schedule_times ${PROJECT_SOURCE_DIR}/tests/schedule/schedule_times.cpp)
    compiled_as_test(schedule_times)
    target_link_libraries(schedule_times PRIVATE room_schedule)
    add_test(NAME schedule_times COMMAND ${PROJECT_SOURCE_DIR}/tests/schedule/oracle.py $<TARGET_FILE:schedule_times>)
    set_tests_properties(schedule_times PROPERTIES TIMEOUT 900)  # Three quarters of a minute on an idle machine.
endif()
