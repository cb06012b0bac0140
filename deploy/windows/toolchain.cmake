# CMake toolchain: builds for 64-bit Windows on Debian 12, with mingw-w64 (posix threads) and the static libraries of
# deploy/windows/build-deps. DA_WINDOWS_DEPS names their folder; default: build/windows-deps/prefix of this checkout.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_VERSION 10.0)
set(CMAKE_SYSTEM_PROCESSOR AMD64)

set(target x86_64-w64-mingw32)
set(CMAKE_C_COMPILER ${target}-gcc-posix)
set(CMAKE_CXX_COMPILER ${target}-g++-posix)
set(CMAKE_RC_COMPILER ${target}-windres)
# The wrappers that load the compiler's plugin; plain ar makes archives that cannot be linked with -flto objects.
set(CMAKE_AR ${target}-gcc-ar-posix CACHE FILEPATH "")
set(CMAKE_RANLIB ${target}-gcc-ranlib-posix CACHE FILEPATH "")

if(NOT DA_WINDOWS_DEPS)
  set(DA_WINDOWS_DEPS $ENV{DA_WINDOWS_DEPS})
endif()
if(NOT DA_WINDOWS_DEPS)
  get_filename_component(DA_WINDOWS_DEPS ${CMAKE_CURRENT_LIST_DIR}/../../build/windows-deps/prefix ABSOLUTE)
endif()
# try_compile() reads this file too, in a project that has none of our variables.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES DA_WINDOWS_DEPS)

set(CMAKE_FIND_ROOT_PATH ${DA_WINDOWS_DEPS} /usr/${target})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)  # protoc and its plugin are the build machine's.
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

# Windows 10. The debug build of a test has more sections than an object file of the old kind can hold (big-obj).
set(flags "-D_WIN32_WINNT=0x0A00 -DWINVER=0x0A00 -DWIN32_LEAN_AND_MEAN -DNOMINMAX -Wa,-mbig-obj")
set(CMAKE_C_FLAGS_INIT ${flags})
# Where there is no futex, std::atomic::wait() of GCC 12 tests the value before it takes the lock of its condition
# variable, so it can miss the wake-up and wait for ever. Semaphores are built on it, and stop callbacks on semaphores: a
# thread that gave up its callback during request_stop() hung. With this macro, semaphores use those of the system.
# (std::latch, std::barrier and std::atomic::wait() stay broken: code for Windows does not use them.)
set(CMAKE_CXX_FLAGS_INIT "${flags} -D_GLIBCXX_USE_POSIX_SEMAPHORE=1")
# No DLL of the compiler beside the program.
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
