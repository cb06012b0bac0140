#include "lib/bus/zap_authenticator.h"

#include <pthread.h>

#include <algorithm>
#include <array>
#include <vector>

#include "lib/base/id.h"
#include "lib/bus/zmq_context.h"
#include "lib/identity/z85.h"
#include "lib/os/network/wake_up.h"

namespace da::bus {
namespace {

constexpr std::size_t kCurveKeyBytes = 32;

}  // namespace

zmq::context_t& zmq_context() {
  static zmq::context_t instance(1);
  return instance;
}

// Answers ZeroMQ's requests for all authenticators.
class ZapServer {
 public:
  static ZapServer& instance() {
    static ZapServer server(zmq_context());  // Destroyed before the context.
    return server;
  }

  void add(const std::string& name, ZapAuthenticator& authenticator) {
    const std::lock_guard hold(mutex_);
    authenticators_.emplace(name, &authenticator);
  }
  void remove(const std::string& name) {
    const std::lock_guard hold(mutex_);
    authenticators_.erase(name);
  }

 private:
  explicit ZapServer(zmq::context_t& context) : requests_(context, zmq::socket_type::rep) {
    requests_.set(zmq::sockopt::linger, 0);
    requests_.bind("inproc://zeromq.zap.01");
    auto stop = os::WakeUp::open();
    if (!stop) throw zmq::error_t();
    stop_ = *std::move(stop);
    thread_ = std::thread([this] { run(); });
  }
  ~ZapServer() {
    stop_->notify();
    thread_.join();
  }

  void run() {
    pthread_setname_np(pthread_self(), "bus-zap");
    std::array<zmq::pollitem_t, 2> items{{{requests_.handle(), 0, ZMQ_POLLIN, 0},
                                          {nullptr, static_cast<zmq::fd_t>(stop_->descriptor()), ZMQ_POLLIN, 0}}};
    while (true) {
      try {
        zmq::poll(items.data(), items.size(), std::chrono::milliseconds(-1));
      } catch (const zmq::error_t&) {
        continue;  // A signal interrupted it.
      }
      if (items[1].revents != 0) return;
      if (items[0].revents != 0) answer();
    }
  }

  void answer() {
    std::vector<std::string> frames;
    zmq::message_t frame;
    do {
      static_cast<void>(requests_.recv(frame, zmq::recv_flags::none));
      frames.push_back(frame.to_string());
    } while (frame.more());
    // Frames: version, request, domain, address, identity, mechanism, credentials.
    const bool is_valid = frames.size() == 7 && frames[5] == "CURVE" && frames[6].size() == kCurveKeyBytes;
    const bool accepted = is_valid && authenticate(frames[2], identity::z85_encode(frames[6]));
    const std::array<std::string, 6> reply{
        "1.0", frames.size() > 1 ? frames[1] : "", accepted ? "200" : "400", accepted ? "OK" : "unknown key", "", ""};
    for (std::size_t i = 0; i < reply.size(); ++i) {
      requests_.send(zmq::buffer(reply[i]), i + 1 < reply.size() ? zmq::send_flags::sndmore : zmq::send_flags::none);
    }
  }

  bool authenticate(const std::string& domain, const std::string& key) {
    const std::lock_guard hold(mutex_);
    const auto authenticator = authenticators_.find(domain);
    return authenticator != authenticators_.end() && authenticator->second->authenticate(key);
  }

  std::mutex mutex_;
  std::map<std::string, ZapAuthenticator*> authenticators_;
  zmq::socket_t requests_;
  std::unique_ptr<os::WakeUp> stop_;
  std::thread thread_;
};

ZapAuthenticator::ZapAuthenticator(Allows allows, std::function<bool()> takes_new)
    : name_(random_hex(8)), allows_(std::move(allows)), takes_new_(std::move(takes_new)) {
  ZapServer::instance().add(name_, *this);
}

ZapAuthenticator::~ZapAuthenticator() { ZapServer::instance().remove(name_); }

void ZapAuthenticator::guard(zmq::socket_t& socket, const std::string& curve_secret) const {
  socket.set(zmq::sockopt::curve_server, true);
  socket.set(zmq::sockopt::curve_secretkey, curve_secret);
  socket.set(zmq::sockopt::zap_domain, name_);
}

bool ZapAuthenticator::authenticate(const std::string& curve_public) {
  const std::lock_guard hold(mutex_);
  if (!takes_new_() || !allows_(curve_public)) return false;
  accepted_.insert(curve_public);
  return true;
}

bool ZapAuthenticator::has_revoked() const {
  const std::lock_guard hold(mutex_);
  return std::ranges::any_of(accepted_, [this](const std::string& key) { return !allows_(key); });
}

void ZapAuthenticator::forget() {
  const std::lock_guard hold(mutex_);
  accepted_.clear();
}

}  // namespace da::bus
