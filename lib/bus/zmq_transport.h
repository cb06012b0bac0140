// Facts over ZeroMQ PUB/SUB: each service binds its own two sockets (facts, images), and readers connect to all of
// them. Endpoints are ZeroMQ's: "tcp://host:port" or, but not on Windows, "ipc:///run/x.ipc". CURVE encrypts all
// connections, and both sides know each other's key beforehand: a publisher accepts known peers whose role may read it
// (lib/identity/permissions.h), and disconnects peers that are revoked.
//
// wait_in_force(): the reader subscribes to its topics, then to a random word. A publisher handles subscriptions in
// order and echoes that word, so the echo proves that the subscriptions are active.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lib/bus/transport.h"
#include "lib/identity/credentials.h"

namespace da::bus {

struct Endpoints {
  std::string facts;
  std::string images;  // Empty: the service publishes no images.
};

Result<std::unique_ptr<Sink>> bind_zmq(const Endpoints& endpoints, const identity::Credentials& credentials);

// Also connects to publishers that start later. Topics: of the catalogue. kPermissionDenied: unknown publisher key.
struct Peer {
  identity::Role role;
  Endpoints endpoints;
};

Result<std::unique_ptr<Source>> connect_zmq(const std::vector<Peer>& publishers, const std::vector<std::string>& topics,
                                            const identity::Credentials& credentials);

}  // namespace da::bus
