#include "lib/os/files/memory_file.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

#include "lib/os/files/file_descriptors.h"

namespace da::os {

Result<UniqueFd> make_memory_file(std::string_view bytes) {
  UniqueFd file(::memfd_create("bytes", MFD_CLOEXEC));
  if (!file) return posix_error("make a file in memory", errno);
  RETURN_IF_ERROR(write_all(file.get(), bytes, "a file in memory"));
  if (::lseek(file.get(), 0, SEEK_SET) != 0) return posix_error("rewind a file in memory", errno);
  return file;
}

}  // namespace da::os
