#include "lib/os/process/pipe.h"

#include <fcntl.h>

#include <cerrno>

namespace da::os {
namespace {

constexpr std::size_t kLengthBytes = 4;

// Reads until `bytes` is full or the other end is closed; returns how many it read.
Result<std::size_t> read_fully(int fd, std::string& bytes) {
  std::size_t size = 0;
  while (size < bytes.size()) {
    const ssize_t got = ::read(fd, bytes.data() + size, bytes.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return posix_error("read a message", errno);
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  return size;
}

}  // namespace

Result<Pipe> make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return posix_error("make a pipe", errno);
  return Pipe{UniqueFd(ends[0]), UniqueFd(ends[1])};
}

Result<UniqueFd> make_filled_pipe(std::string_view bytes) {
  ASSIGN_OR_RETURN(Pipe pipe, make_pipe());
  // A blocking write would wait forever for bytes beyond the kernel's buffer.
  if (::fcntl(pipe.writer.get(), F_SETFL, O_NONBLOCK) != 0) return posix_error("fill a pipe", errno);
  if (::write(pipe.writer.get(), bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) {
    return Error{Code::kFailedPrecondition, "fill a pipe: " + std::to_string(bytes.size()) + " bytes do not fit"};
  }
  return std::move(pipe.reader);
}

Result<std::string> read_to_end(UniqueFd reader, std::size_t max_bytes) {
  // Allocated at full size, so that no part of a secret stays in memory freed by a reallocation.
  std::string bytes(max_bytes + 1, '\0');
  std::size_t size = 0;
  while (size < bytes.size()) {
    const ssize_t got = ::read(reader.get(), bytes.data() + size, bytes.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return posix_error("read a descriptor", errno);
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  if (size > max_bytes) {
    return Error{Code::kInvalidArgument, "read a descriptor: more than " + std::to_string(max_bytes) + " bytes"};
  }
  bytes.resize(size);
  return bytes;
}

Result<void> write_message(int fd, std::string_view bytes) {
  std::string all;
  for (std::size_t i = 0; i < kLengthBytes; ++i) all += static_cast<char>(bytes.size() >> (8 * i));
  all += bytes;
  for (std::size_t written = 0; written < all.size();) {
    const ssize_t put = ::write(fd, all.data() + written, all.size() - written);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0 && errno == EPIPE) return Error{Code::kUnavailable, "write a message: nobody reads it"};
    if (put < 0) return posix_error("write a message", errno);
    written += static_cast<std::size_t>(put);
  }
  return ok();
}

Result<std::optional<std::string>> read_message(int fd, std::size_t max_bytes) {
  std::string length(kLengthBytes, '\0');
  ASSIGN_OR_RETURN(const std::size_t got, read_fully(fd, length));
  if (got == 0) return std::optional<std::string>();
  std::size_t size = 0;
  for (std::size_t i = 0; i < kLengthBytes; ++i) size |= std::size_t{static_cast<unsigned char>(length[i])} << (8 * i);
  if (got == kLengthBytes && size > max_bytes) {
    return Error{Code::kInvalidArgument, "read a message: it has " + std::to_string(size) + " bytes; at most " +
                                             std::to_string(max_bytes) + " are allowed"};
  }
  std::string bytes(got == kLengthBytes ? size : 1, '\0');
  ASSIGN_OR_RETURN(const std::size_t read, read_fully(fd, bytes));
  if (read != bytes.size()) return Error{Code::kDataLoss, "read a message: it is cut off"};
  return std::optional(std::move(bytes));
}

}  // namespace da::os
