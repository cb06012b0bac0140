#include "lib/os/network/winsock.h"
#include "tests/addresses.h"

namespace da::test {
namespace {

std::string free_port() {
  os::start_sockets();
  const os::UniqueSocket socket(::socket(AF_INET, SOCK_STREAM, IPPROTO_TCP));
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int size = sizeof at;
  ::bind(socket.get(), reinterpret_cast<const sockaddr*>(&at), size);
  ::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&at), &size);
  return std::to_string(ntohs(at.sin_port));
}

}  // namespace

std::string rpc_address(const std::filesystem::path&, const std::string&) { return "ipv4:127.0.0.1:" + free_port(); }

std::string bus_address(const std::filesystem::path&, const std::string&) { return "tcp://127.0.0.1:" + free_port(); }

}  // namespace da::test
