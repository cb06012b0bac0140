#include "lib/os/network/accept_bound.h"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <limits>
#include <zmq.hpp>

#include "lib/os/unique_fd.h"

namespace da::os {
namespace {

class AcceptBoundTest : public testing::Test {
 protected:
  ~AcceptBoundTest() override { keep_descriptors_from_connections(std::numeric_limits<int>::max()); }

  // Connects to this port of the local machine.
  static UniqueFd connect_to(int port) {
    UniqueFd caller(::socket(AF_INET, SOCK_STREAM, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(caller.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    return caller;
  }
  // Whether the other side has sent data instead of closing the connection.
  static bool is_greeted(const UniqueFd& caller) {
    char byte = 0;
    return ::recv(caller.get(), &byte, 1, 0) == 1;
  }
};

TEST_F(AcceptBoundTest, LimitsConnectionsOfZeroMq) {
  zmq::context_t context;
  zmq::socket_t socket(context, zmq::socket_type::pub);
  socket.bind("tcp://127.0.0.1:*");
  const std::string endpoint = socket.get(zmq::sockopt::last_endpoint);
  const int port = std::stoi(endpoint.substr(endpoint.rfind(':') + 1));
  const UniqueFd first = connect_to(port);
  EXPECT_TRUE(is_greeted(first));
  const UniqueFd next_free(::socket(AF_INET, SOCK_STREAM, 0));
  keep_descriptors_from_connections(next_free.get());
  EXPECT_FALSE(is_greeted(connect_to(port)));
  keep_descriptors_from_connections(std::numeric_limits<int>::max());
  EXPECT_TRUE(is_greeted(connect_to(port)));
}

}  // namespace
}  // namespace da::os
