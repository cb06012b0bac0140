#include "lib/os/network/connection.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <string_view>

#include "lib/os/network/winsock.h"

namespace da::os {
namespace {

SOCKET socket_of(std::intptr_t descriptor) { return static_cast<SOCKET>(descriptor); }

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

std::string text_of(int family, const void* address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  const char* written = ::inet_ntop(family, address, text.data(), text.size());
  return written == nullptr ? "" : written;
}

// nullopt if the number names no connected socket.
std::optional<std::uint64_t> addresses_of(std::intptr_t descriptor) {
  std::array<sockaddr_storage, 2> ends{};
  for (const bool peer : {false, true}) {
    auto& end = ends[peer ? 1 : 0];
    int size = sizeof end;
    const int failed = peer ? ::getpeername(socket_of(descriptor), reinterpret_cast<sockaddr*>(&end), &size)
                            : ::getsockname(socket_of(descriptor), reinterpret_cast<sockaddr*>(&end), &size);
    if (failed != 0) return std::nullopt;
  }
  return std::hash<std::string_view>()({reinterpret_cast<const char*>(ends.data()), sizeof ends});
}

}  // namespace

Caller Caller::of(std::intptr_t connection) {
  sockaddr_storage from{};
  int size = sizeof from;
  if (::getpeername(socket_of(connection), reinterpret_cast<sockaddr*>(&from), &size) != 0) return {};
  from = unmap_ipv4(from);
  if (from.ss_family == AF_INET) {
    const auto& four = reinterpret_cast<const sockaddr_in&>(from);
    const std::string host = text_of(AF_INET, &four.sin_addr);
    return {host, "ipv4:" + host + ":" + std::to_string(ntohs(four.sin_port))};
  }
  if (from.ss_family != AF_INET6) return {};
  const auto& six = reinterpret_cast<const sockaddr_in6&>(from);
  in6_addr network = six.sin6_addr;
  std::fill_n(&network.s6_addr[8], 8, UCHAR{0});
  return {text_of(AF_INET6, &network),
          "ipv6:%5B" + text_of(AF_INET6, &six.sin6_addr) + "%5D:" + std::to_string(ntohs(six.sin6_port))};
}

void keep_silent_connections_in_kernel(std::intptr_t /*listener*/, std::chrono::seconds /*time*/) {}

std::optional<ForeignConnection> ForeignConnection::of(std::intptr_t descriptor) {
  const auto addresses = addresses_of(descriptor);
  return addresses ? std::optional(ForeignConnection(descriptor, *addresses)) : std::nullopt;
}

bool ForeignConnection::is_open() const { return addresses_of(descriptor_) == identity_; }

// Windows 10 counts received bytes (SIO_TCP_INFO), but not every version and not Wine does: unknown.
bool ForeignConnection::is_silent() const { return false; }

void ForeignConnection::shut_down() const {
  if (is_open()) ::shutdown(socket_of(descriptor_), SD_BOTH);
}

}  // namespace da::os
