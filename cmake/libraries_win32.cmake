# The static libraries that deploy/windows/build-deps makes, under the names of cmake/libraries_linux.cmake, as far as the
# actuator needs them. They have no configuration for CMake, or one that names libraries which we do not build, so they are
# linked by name, each with what it needs itself.
find_package(Threads REQUIRED)
find_package(GTest CONFIG REQUIRED)
find_package(spdlog CONFIG REQUIRED)
find_program(PROTOC protoc REQUIRED)
# Also of the header-only libraries.
include_directories(SYSTEM ${DA_WINDOWS_DEPS}/include)

# da_import(TARGET LIBRARY [NEEDS ...] [DEFINES ...]): one archive, with what it needs itself, so that CMake links them in
# the right order.
function(da_import target library)
  cmake_parse_arguments(ARG "" "" "NEEDS;DEFINES" ${ARGN})
  find_library(archive_${library} NAMES lib${library}.a REQUIRED)
  add_library(${target} STATIC IMPORTED GLOBAL)
  set_target_properties(${target} PROPERTIES IMPORTED_LOCATION ${archive_${library}})
  target_link_libraries(${target} INTERFACE ${ARG_NEEDS})
  target_compile_definitions(${target} INTERFACE ${ARG_DEFINES})
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
# Abseil's archives refer to each other, so they are one group; unused members are left out.
file(GLOB absl_archives ${DA_WINDOWS_DEPS}/lib/libabsl_*.a)
list(JOIN absl_archives "," absl_group)
add_library(da_absl INTERFACE IMPORTED GLOBAL)
target_link_libraries(da_absl INTERFACE "-Wl,--start-group,${absl_group},-lbcrypt,-ldbghelp,--end-group")
da_import(da_cares cares NEEDS ws2_32 iphlpapi advapi32)
da_import(da_gpr gpr NEEDS da_absl)
da_import(da_address_sorting address_sorting NEEDS da_gpr ws2_32)
da_import(da_upb upb)
da_import(da_grpc grpc
  NEEDS da_gpr da_address_sorting da_upb da_cares PkgConfig::RE2 OpenSSL::SSL ZLIB::ZLIB da_absl ws2_32 crypt32)
da_import(gRPC::grpc++ grpc++ NEEDS da_grpc protobuf::libprotobuf)
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
