#include "lib/bus/zmq_transport.h"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <zmq.hpp>

#include "lib/base/id.h"
#include "lib/base/text.h"
#include "lib/bus/outbox.h"
#include "lib/bus/publishing_socket.h"
#include "lib/bus/topics.h"
#include "lib/bus/zmq_context.h"
#include "lib/identity/permissions.h"
#include "lib/os/network/wake_up.h"

namespace da::bus {
namespace {

// Facts are small and frequent. A reader that is 10,000 behind loses facts and sees the gap.
constexpr int kFactsHighWaterMark = 10'000;
constexpr int kImagesHighWaterMark = 4;
// Limit of one frame: ZeroMQ disconnects a peer that sends more.
constexpr std::int64_t kLargestFact = 64 << 20;
constexpr int kReopenAfter = 100;  // Milliseconds.
constexpr int kReadsBetweenPolls = 8;

Error zmq_failure(const std::string& attempted, const zmq::error_t& error) {
  return {error.num() == EADDRINUSE ? Code::kAlreadyExists : Code::kUnavailable, attempted + ": " + error.what()};
}

class ZmqSink final : public Sink {
 public:
  ZmqSink(const Endpoints& endpoints, const identity::Credentials& credentials, std::unique_ptr<os::WakeUp> wake)
      : facts_(endpoints.facts, kFactsHighWaterMark, false, credentials),
        images_(endpoints.images.empty()
                    ? nullptr
                    : std::make_unique<PublishingSocket>(endpoints.images, kImagesHighWaterMark, true, credentials)),
        wake_(std::move(wake)),
        listener_(*credentials.peers, [this] { wake_->notify(); }),
        outbox_({.facts = kFactsHighWaterMark, .images = kImagesHighWaterMark},
                [this](const Outbox::Fact& fact) { send_now(fact); }) {
    echo_thread_ = std::thread([this] { run_echo(); });
  }

  ~ZmqSink() override {
    stop_ = true;
    wake_->notify();
    echo_thread_.join();
  }

  void send(Lane lane, std::string_view topic, Payload payload) override {
    outbox_.add({lane, std::string(topic), std::move(payload)});
  }

  void flush(Milliseconds timeout) override { outbox_.flush(timeout); }

 private:
  void send_now(const Outbox::Fact& fact) {
    PublishingSocket* socket = fact.lane == Lane::kImages ? images_.get() : &facts_;
    try {
      if (socket != nullptr) socket->send(fact.topic, *fact.payload);
    } catch (const zmq::error_t&) {
      // The socket is closed at the moment. Readers see a gap.
    }
  }

  // ZeroMQ's descriptor is edge-triggered. No edge is missed, because every send also reads subscriptions.
  void run_echo() {
    pthread_setname_np(pthread_self(), "bus-echo");
    while (!stop_) {
      const bool facts_done = facts_.read_incoming();
      const bool images_done = !images_ || images_->read_incoming();
      const bool open = disconnect_revoked();
      wait(!facts_done || !images_done ? 0 : open ? -1 : kReopenAfter);
    }
  }

  void wait(int milliseconds) {
    std::vector<zmq::pollitem_t> items{{nullptr, static_cast<zmq::fd_t>(wake_->descriptor()), ZMQ_POLLIN, 0}};
    for (PublishingSocket* socket : {&facts_, images_.get()}) {
      if (socket == nullptr) continue;
      items.push_back({nullptr, socket->descriptor_of_connections(), ZMQ_POLLIN, 0});
      if (const auto descriptor = socket->descriptor()) items.push_back({nullptr, *descriptor, ZMQ_POLLIN, 0});
    }
    try {
      zmq::poll(items, std::chrono::milliseconds(milliseconds));
    } catch (const zmq::error_t&) {
      // A signal interrupted it: look again.
    }
    if (items.front().revents != 0) wake_->clear();
  }

  // While a socket is closed, readers receive nothing.
  bool disconnect_revoked() {
    const bool facts = facts_.disconnect_revoked();
    const bool images = !images_ || images_->disconnect_revoked();
    return facts && images;
  }

  PublishingSocket facts_;
  const std::unique_ptr<PublishingSocket> images_;
  const std::unique_ptr<os::WakeUp> wake_;
  std::atomic<bool> stop_ = false;
  std::thread echo_thread_;
  const identity::KnownPeers::Listener listener_;
  Outbox outbox_;  // Last: it sends what is left before the sockets are closed.
};

class ZmqSource final : public Source {
 public:
  explicit ZmqSource(std::shared_ptr<const identity::Identity> own) : own_(std::move(own)) {}

  void connect(const Peer& publisher, const std::string& key, const std::vector<std::string>& topics) {
    for (const bool images : {false, true}) {
      const std::string& endpoint = images ? publisher.endpoints.images : publisher.endpoints.facts;
      if (!endpoint.empty()) connect(std::string(to_string(publisher.role)), endpoint, key, images, topics);
    }
  }

  Result<void> wait_in_force(MonoTime deadline) override {
    while (!awaited_.empty()) {
      ASSIGN_OR_RETURN(auto fact, receive_any(deadline));
      if (!fact) {
        std::vector<std::string> names;
        for (const auto& [word, name] : awaited_) names.push_back(name);
        return Error{Code::kDeadlineExceeded, "subscribe to the bus: no answer from " + join(names, ", ")};
      }
      if (!fact->topic.starts_with(kEchoPrefix)) early_.push_back(*std::move(fact));
    }
    return ok();
  }

  Result<std::optional<RawFact>> receive(MonoTime deadline) override {
    if (!early_.empty()) {
      std::optional<RawFact> fact = std::move(early_.front());
      early_.erase(early_.begin());
      return fact;
    }
    while (true) {
      ASSIGN_OR_RETURN(auto fact, receive_any(deadline));
      if (!fact || !fact->topic.starts_with(kEchoPrefix)) return fact;
    }
  }

 private:
  void connect(const std::string& name, const std::string& endpoint, const std::string& key, bool images,
               const std::vector<std::string>& topics) {
    zmq::socket_t socket(zmq_context(), zmq::socket_type::sub);
    socket.set(zmq::sockopt::curve_serverkey, key);
    socket.set(zmq::sockopt::curve_publickey, own_->curve_public);
    socket.set(zmq::sockopt::curve_secretkey, own_->curve_secret);
    socket.set(zmq::sockopt::maxmsgsize, kLargestFact);
    socket.set(zmq::sockopt::rcvhwm, images ? kImagesHighWaterMark : kFactsHighWaterMark);
    socket.set(zmq::sockopt::linger, 0);
    socket.set(zmq::sockopt::reconnect_ivl, 20);
    socket.set(zmq::sockopt::reconnect_ivl_max, 1000);
    // Subscribe only to this publisher's own topics, so that it cannot impersonate another writer.
    for (const std::string& topic : topics) {
      if (topic_of(*fact_of(topic))->writer() == name) socket.set(zmq::sockopt::subscribe, topic);
    }
    const std::string word = std::string(kEchoPrefix) + random_hex(16);
    socket.set(zmq::sockopt::subscribe, word);
    socket.connect(endpoint);
    awaited_.emplace(word, name + (images ? " (images)" : ""));
    sockets_.push_back(std::move(socket));
    items_.push_back({sockets_.back().handle(), 0, ZMQ_POLLIN, 0});
  }

  // nullopt only after the deadline.
  Result<std::optional<RawFact>> receive_any(MonoTime deadline) {
    try {
      while (true) {
        // Facts arrive in batches: sockets that had some are read again before all are polled. But a long backlog of
        // one must not keep the others waiting, which hold few images.
        for (std::size_t i = 0; i < items_.size() && reads_since_poll_ < kReadsBetweenPolls; ++i) {
          const std::size_t at = next_++ % items_.size();
          if ((items_[at].revents & ZMQ_POLLIN) == 0) continue;
          if (auto fact = read(sockets_[at])) {
            ++reads_since_poll_;
            return fact;
          }
          items_[at].revents = 0;
        }
        reads_since_poll_ = 0;
        const auto left = std::chrono::ceil<Milliseconds>(deadline - system_clock().now());
        if (zmq::poll(items_, std::max(left, Milliseconds(0))) == 0) return std::optional<RawFact>();
      }
    } catch (const zmq::error_t& error) {
      return zmq_failure("read the bus", error);
    }
  }

  // A malformed message gets an unknown topic, so that Subscriber counts it.
  std::optional<RawFact> read(zmq::socket_t& socket) {
    zmq::message_t topic;
    if (!socket.recv(topic, zmq::recv_flags::dontwait)) return std::nullopt;
    RawFact fact{topic.to_string(), {}};
    int frames = 1;
    for (zmq::message_t frame; socket.get(zmq::sockopt::rcvmore) != 0; ++frames) {
      static_cast<void>(socket.recv(frame, zmq::recv_flags::none));
      if (frames == 1) fact.payload = frame.to_string();
    }
    if (frames != 2) fact.topic.clear();
    awaited_.erase(fact.topic);
    return fact;
  }

  const std::shared_ptr<const identity::Identity> own_;
  std::vector<zmq::socket_t> sockets_;
  std::vector<zmq::pollitem_t> items_;
  std::map<std::string, std::string> awaited_;  // Echo word -> publisher that must send it.
  std::vector<RawFact> early_;
  std::size_t next_ = 0;
  int reads_since_poll_ = 0;
};

}  // namespace

Result<std::unique_ptr<Sink>> bind_zmq(const Endpoints& endpoints, const identity::Credentials& credentials) {
  ASSIGN_OR_RETURN(auto wake, os::WakeUp::open());
  try {
    return std::unique_ptr<Sink>(std::make_unique<ZmqSink>(endpoints, credentials, std::move(wake)));
  } catch (const zmq::error_t& error) {
    return zmq_failure("bind the bus to " + endpoints.facts, error);
  }
}

Result<std::unique_ptr<Source>> connect_zmq(const std::vector<Peer>& publishers, const std::vector<std::string>& topics,
                                            const identity::Credentials& credentials) {
  try {
    auto source = std::make_unique<ZmqSource>(credentials.own);
    for (const Peer& publisher : publishers) {
      const auto known = credentials.peers->by_role(publisher.role);
      if (!known) {
        return Error{Code::kPermissionDenied,
                     "connect to the bus: the peers file has no " + std::string(to_string(publisher.role))};
      }
      source->connect(publisher, known->curve_public, topics);
    }
    return std::unique_ptr<Source>(std::move(source));
  } catch (const zmq::error_t& error) {
    return zmq_failure("connect to the bus", error);
  }
}

}  // namespace da::bus
