// Facts over ZeroMQ PUB/SUB: each service binds its own two sockets (facts, images), readers connect to all of them.
// Endpoints are ZeroMQ's: "ipc:///run/x.ipc" or "tcp://host:port".
//
// In force: the reader subscribes to its topics and then to a word of its own. A publisher handles subscriptions in
// their order, and echoes that word to whoever subscribed to it; so when the echo arrives, the subscription stands.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lib/bus/transport.h"

namespace da::bus {

struct Endpoints {
  std::string facts;
  std::string images;  // Empty: this service has no images.
};

Result<std::unique_ptr<Sink>> bind_zmq(const Endpoints& endpoints);

// Connects at once, also to publishers that are not there yet; they are found when they come, and again when they
// return. Topics must be those of the catalogue.
struct Peer {
  std::string name;
  Endpoints endpoints;
};

Result<std::unique_ptr<Source>> connect_zmq(const std::vector<Peer>& publishers,
                                            const std::vector<std::string>& topics);

}  // namespace da::bus
