// Facts over ZeroMQ PUB/SUB: each service binds its own two sockets (facts, images), readers connect to all of them.
// Endpoints are ZeroMQ's: "ipc:///run/x.ipc" or "tcp://host:port". All are encrypted with CURVE, and both sides know
// the other's key beforehand: a publisher lets in known peers whose role may read it (lib/identity/permissions.h), and
// shuts out those that are revoked while they are connected.
//
// In force: the reader subscribes to its topics and then to a word of its own. A publisher handles subscriptions in
// their order, and echoes that word to whoever subscribed to it; so when the echo arrives, the subscription stands.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lib/bus/transport.h"
#include "lib/identity/credentials.h"

namespace da::bus {

struct Endpoints {
  std::string facts;
  std::string images;  // Empty: this service has no images.
};

Result<std::unique_ptr<Sink>> bind_zmq(const Endpoints& endpoints, const identity::Credentials& credentials);

// Connects at once, also to publishers that are not there yet; they are found when they come, and again when they
// return. Topics must be those of the catalogue. kPermissionDenied where a publisher's key is not known.
struct Peer {
  identity::Role role;
  Endpoints endpoints;
};

Result<std::unique_ptr<Source>> connect_zmq(const std::vector<Peer>& publishers, const std::vector<std::string>& topics,
                                            const identity::Credentials& credentials);

}  // namespace da::bus
