#include "lib/rpc/listening_socket.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "lib/os/network/connection.h"
#include "lib/os/network/host_port.h"

namespace da::rpc {
namespace {

// The kernel's maximum: waiting connections cost no descriptor.
constexpr int kBacklog = 4096;
constexpr int kSocketKind = SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK;

Error cannot_listen(const std::string& address, int number) {
  Error error = posix_error("listen at " + address, number);
  error.code = number == EADDRINUSE ? Code::kAlreadyExists : Code::kUnavailable;
  if (number == EADDRINUSE) error.message = "cannot listen at " + address + ": is another service there?";
  return error;
}

// Whether a process still listens there. A socket file outlives its process.
bool answers(const sockaddr_un& at, socklen_t size) {
  const os::UniqueFd probe(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  return probe && (::connect(probe.get(), reinterpret_cast<const sockaddr*>(&at), size) == 0 || errno != ECONNREFUSED);
}

Result<os::UniqueFd> listen_at_path(const std::string& address, const std::string& path) {
  sockaddr_un at{};
  at.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof at.sun_path)
    return Error{Code::kInvalidArgument, "listen at " + address + ": the path has to have 1 to 107 bytes"};
  std::memcpy(at.sun_path, path.c_str(), path.size() + 1);
  const auto size = static_cast<socklen_t>(sizeof at);
  os::UniqueFd socket(::socket(AF_UNIX, kSocketKind, 0));
  if (!socket) return cannot_listen(address, errno);
  struct stat found {};
  if (::lstat(path.c_str(), &found) == 0 && S_ISSOCK(found.st_mode)) {
    if (answers(at, size)) return cannot_listen(address, EADDRINUSE);
    ::unlink(path.c_str());
  }
  if (::bind(socket.get(), reinterpret_cast<const sockaddr*>(&at), size) != 0) return cannot_listen(address, errno);
  if (::listen(socket.get(), kBacklog) != 0) return cannot_listen(address, errno);
  return socket;
}

Result<os::UniqueFd> listen_at_port(const std::string& address) {
  const auto at = os::parse_host_port(address);
  if (!at) return Error{Code::kInvalidArgument, "listen at " + address + ": the port is missing"};
  addrinfo wanted{};
  wanted.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo* raw = nullptr;
  if (const int failed = ::getaddrinfo(at->host.c_str(), at->port.c_str(), &wanted, &raw); failed != 0)
    return Error{Code::kInvalidArgument, "listen at " + address + ": " + ::gai_strerror(failed)};
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> found(raw, ::freeaddrinfo);
  os::UniqueFd socket(::socket(found->ai_family, kSocketKind, 0));
  if (!socket) return cannot_listen(address, errno);
  const int on = 1;
  // Old connections of an earlier process must not block the port.
  ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (::bind(socket.get(), found->ai_addr, found->ai_addrlen) != 0) return cannot_listen(address, errno);
  if (::listen(socket.get(), kBacklog) != 0) return cannot_listen(address, errno);
  return socket;
}

}  // namespace

ListeningSocket::ListeningSocket(os::UniqueFd socket, std::string path)
    : socket_(std::move(socket)), path_(std::move(path)) {
  struct stat info {};
  if (!path_.empty() && ::lstat(path_.c_str(), &info) == 0) inode_ = info.st_ino;
}

ListeningSocket::~ListeningSocket() {
  struct stat info {};
  if (socket_ && !path_.empty() && ::lstat(path_.c_str(), &info) == 0 && info.st_ino == inode_) ::unlink(path_.c_str());
}

Result<ListeningSocket> ListeningSocket::open(const std::string& address, std::chrono::seconds kept_by_kernel) {
  constexpr std::string_view kUnix = "unix:";
  if (address.starts_with(kUnix)) {
    const std::string path = address.substr(kUnix.size());
    ASSIGN_OR_RETURN(os::UniqueFd socket, listen_at_path(address, path));
    return ListeningSocket(std::move(socket), path);
  }
  ASSIGN_OR_RETURN(os::UniqueFd socket, listen_at_port(address));
  os::keep_silent_connections_in_kernel(socket.get(), kept_by_kernel);
  return ListeningSocket(std::move(socket), "");
}

}  // namespace da::rpc
