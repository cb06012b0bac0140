# The libraries of vcpkg.json, under the names of cmake/libraries_linux.cmake, for the preset msvc. Untested.
find_package(Threads REQUIRED)
find_package(GTest CONFIG REQUIRED)
find_package(spdlog CONFIG REQUIRED)
find_package(ZLIB REQUIRED)
find_package(OpenSSL REQUIRED)
find_package(ICU COMPONENTS uc REQUIRED)
foreach(package cppzmq gRPC protobuf re2 SPNG unofficial-sodium ZeroMQ zstd)
  find_package(${package} CONFIG REQUIRED)
endforeach()

function(da_rename target library)
  add_library(${target} INTERFACE IMPORTED GLOBAL)
  target_link_libraries(${target} INTERFACE ${library})
endfunction()

da_rename(PkgConfig::SODIUM unofficial-sodium::sodium)
da_rename(PkgConfig::ZMQ libzmq-static)
da_rename(PkgConfig::ZSTD zstd::libzstd)
da_rename(PkgConfig::RE2 re2::re2)
da_rename(PkgConfig::ICU_UC ICU::uc)
da_rename(PkgConfig::SPNG SPNG::spng_static)

set(DA_OS_LIBRARIES ws2_32 advapi32 shell32)
