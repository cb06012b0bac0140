#include "lib/os/network/connection.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "lib/os/unique_fd.h"

namespace da::os {
namespace {

// Unwraps an IPv4 address that came over an IPv6 socket, as gRPC does.
sockaddr_storage unmap_ipv4(const sockaddr_storage& from) {
  const auto& six = reinterpret_cast<const sockaddr_in6&>(from);
  if (from.ss_family != AF_INET6 || !IN6_IS_ADDR_V4MAPPED(&six.sin6_addr)) return from;
  sockaddr_storage plain{};
  auto& four = reinterpret_cast<sockaddr_in&>(plain);
  four.sin_family = AF_INET;
  four.sin_port = six.sin6_port;
  std::memcpy(&four.sin_addr, &six.sin6_addr.s6_addr[12], sizeof four.sin_addr);
  return plain;
}

std::optional<std::uint64_t> inode_of(int descriptor) {
  struct statx info {};
  const bool found = ::statx(descriptor, "", AT_EMPTY_PATH, STATX_TYPE | STATX_INO, &info) == 0;
  return found && S_ISSOCK(info.stx_mode) ? std::optional<std::uint64_t>(info.stx_ino) : std::nullopt;
}

}  // namespace

Caller Caller::of(std::intptr_t descriptor) {
  const int connection = static_cast<int>(descriptor);
  sockaddr_storage from{};
  socklen_t size = sizeof from;
  if (::getpeername(connection, reinterpret_cast<sockaddr*>(&from), &size) != 0) return {};
  from = unmap_ipv4(from);
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (from.ss_family == AF_INET) {
    const auto& four = reinterpret_cast<const sockaddr_in&>(from);
    const std::string host = ::inet_ntop(AF_INET, &four.sin_addr, text.data(), text.size());
    return {host, "ipv4:" + host + ":" + std::to_string(ntohs(four.sin_port))};
  }
  if (from.ss_family == AF_INET6) {
    const auto& six = reinterpret_cast<const sockaddr_in6&>(from);
    const std::string host = ::inet_ntop(AF_INET6, &six.sin6_addr, text.data(), text.size());
    in6_addr network = six.sin6_addr;
    std::fill_n(&network.s6_addr[8], 8, std::uint8_t{0});
    return {::inet_ntop(AF_INET6, &network, text.data(), text.size()),
            "ipv6:%5B" + host + "%5D:" + std::to_string(ntohs(six.sin6_port))};
  }
  ucred process{};
  size = sizeof process;
  if (::getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &process, &size) != 0) return {};
  return {"process " + std::to_string(process.pid), ""};
}

void keep_silent_connections_in_kernel(std::intptr_t listener, std::chrono::seconds time) {
  const int seconds = static_cast<int>(time.count());
  ::setsockopt(static_cast<int>(listener), IPPROTO_TCP, TCP_DEFER_ACCEPT, &seconds, sizeof seconds);
}

std::optional<ForeignConnection> ForeignConnection::of(std::intptr_t descriptor) {
  const auto inode = inode_of(static_cast<int>(descriptor));
  return inode ? std::optional(ForeignConnection(descriptor, *inode)) : std::nullopt;
}

bool ForeignConnection::is_open() const { return inode_of(static_cast<int>(descriptor_)) == identity_; }

bool ForeignConnection::is_silent() const {
  const UniqueFd copy(::fcntl(static_cast<int>(descriptor_), F_DUPFD_CLOEXEC, 0));
  tcp_info info{};
  socklen_t size = sizeof info;
  return copy && inode_of(copy.get()) == identity_ &&
         ::getsockopt(copy.get(), IPPROTO_TCP, TCP_INFO, &info, &size) == 0 && info.tcpi_bytes_received == 0;
}

void ForeignConnection::shut_down() const {
  const UniqueFd copy(::fcntl(static_cast<int>(descriptor_), F_DUPFD_CLOEXEC, 0));
  if (copy && inode_of(copy.get()) == identity_) ::shutdown(copy.get(), SHUT_RDWR);
}

}  // namespace da::os
