# The static libraries that deploy/windows/build-deps makes, under the names of cmake/libraries_linux.cmake, as far as the
# actuator needs them. They have no configuration for CMake, or one that names libraries which we do not build, so they are
# linked by name, each with what it needs itself.
find_package(Threads REQUIRED)
find_package(GTest CONFIG REQUIRED)
find_package(spdlog CONFIG REQUIRED)
find_package(absl CONFIG REQUIRED)
find_program(PROTOC protoc REQUIRED)
# Also of the header-only libraries.
include_directories(SYSTEM ${DA_WINDOWS_DEPS}/include)

# da_import(NAME LIBRARIES... [NEEDS TARGET_OR_LIBRARY...] [DEFINES ...])
function(da_import name)
  cmake_parse_arguments(ARG "" "" "NEEDS;DEFINES" ${ARGN})
  set(files)
  foreach(library ${ARG_UNPARSED_ARGUMENTS})
    find_library(found_${library} NAMES lib${library}.a REQUIRED)
    list(APPEND files ${found_${library}})
  endforeach()
  add_library(${name} INTERFACE IMPORTED GLOBAL)
  target_link_libraries(${name} INTERFACE ${files} ${ARG_NEEDS})
  target_compile_definitions(${name} INTERFACE ${ARG_DEFINES})
endfunction()

da_import(ZLIB::ZLIB z)
da_import(OpenSSL::Crypto crypto NEEDS ws2_32 crypt32 advapi32 user32 bcrypt)
da_import(OpenSSL::SSL ssl NEEDS OpenSSL::Crypto)
da_import(PkgConfig::SODIUM sodium DEFINES SODIUM_STATIC)
da_import(PkgConfig::ZMQ zmq NEEDS PkgConfig::SODIUM ws2_32 iphlpapi DEFINES ZMQ_STATIC)
da_import(PkgConfig::ZSTD zstd)
da_import(PkgConfig::RE2 re2 NEEDS Threads::Threads)
da_import(PkgConfig::ICU_UC icuuc NEEDS advapi32 DEFINES U_STATIC_IMPLEMENTATION)
da_import(PkgConfig::SPNG spng NEEDS ZLIB::ZLIB DEFINES SPNG_STATIC)
da_import(protobuf::libprotobuf protobuf NEEDS Threads::Threads)
# gRPC uses a part of abseil only, but its archives refer to each other; unused members are left out.
file(GLOB absl_archives ${DA_WINDOWS_DEPS}/lib/libabsl_*.a)
da_import(gRPC::grpc++ grpc++ grpc gpr address_sorting upb
  NEEDS protobuf::libprotobuf ${DA_WINDOWS_DEPS}/lib/libcares.a PkgConfig::RE2 OpenSSL::SSL ZLIB::ZLIB
        -Wl,--start-group ${absl_archives} -Wl,--end-group ws2_32 iphlpapi crypt32 advapi32 bcrypt dbghelp)
add_executable(protobuf::protoc IMPORTED GLOBAL)
set_target_properties(protobuf::protoc PROPERTIES IMPORTED_LOCATION ${PROTOC})

# The tests of the release build are small enough for Wine's loader without debug information; each function has a section
# of its own, so that the linker leaves out the unused part of these libraries.
add_compile_options(-ffunction-sections -fdata-sections)
add_link_options(-Wl,--gc-sections)

# Of lib/os.
set(DA_OS_LIBRARIES ws2_32 advapi32 shell32)

# CTest lists a program's tests when it runs them: Wine is not needed for building.
set(CMAKE_GTEST_DISCOVER_TESTS_DISCOVERY_MODE PRE_TEST)
