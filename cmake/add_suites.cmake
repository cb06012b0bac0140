# Runs after the link of a GoogleTest program. Writes FILE for ctest: one test for each suite of PROGRAM, because a program
# that is linked with gRPC takes longer to start than most of its tests take to run.
#   cmake -D PROGRAM=... -D FILE=... -D PREFIX=... -D LABEL=... -D TIMEOUT=... -P add_suites.cmake
execute_process(COMMAND ${PROGRAM} --gtest_list_tests OUTPUT_VARIABLE listed COMMAND_ERROR_IS_FATAL ANY TIMEOUT 60)
string(REGEX MATCHALL "(^|\n)[A-Za-z0-9_/]+\\." suites "${listed}")
set(tests "")
foreach(suite IN LISTS suites)
  string(REGEX REPLACE "[\n.]" "" suite "${suite}")
  string(APPEND tests "add_test([=[${PREFIX}${suite}]=] [=[${PROGRAM}]=] [=[--gtest_filter=${suite}.*]=])\n"
    "set_tests_properties([=[${PREFIX}${suite}]=] PROPERTIES LABELS ${LABEL} TIMEOUT ${TIMEOUT})\n")
endforeach()
if(tests STREQUAL "")
  message(FATAL_ERROR "${PROGRAM} lists no tests: ${listed}")
endif()
file(WRITE ${FILE} "${tests}")
