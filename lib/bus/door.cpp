#include "lib/bus/door.h"

#include <pthread.h>

#include <algorithm>
#include <array>
#include <vector>

#include "lib/base/id.h"
#include "lib/bus/zmq_context.h"
#include "lib/identity/z85.h"

namespace da::bus {
namespace {

constexpr std::size_t kCurveKeyBytes = 32;

}  // namespace

zmq::context_t& zmq_context() {
  static zmq::context_t instance(1);
  return instance;
}

// Answers for all doors.
class Porter {
 public:
  static Porter& instance() {
    static Porter porter(zmq_context());  // Ends before the context does.
    return porter;
  }

  void add(const std::string& name, Door& door) {
    const std::lock_guard hold(mutex_);
    doors_.emplace(name, &door);
  }
  void remove(const std::string& name) {
    const std::lock_guard hold(mutex_);
    doors_.erase(name);
  }

 private:
  explicit Porter(zmq::context_t& context) : questions_(context, zmq::socket_type::rep) {
    questions_.set(zmq::sockopt::linger, 0);
    questions_.bind("inproc://zeromq.zap.01");
    auto pipe = os::make_pipe();
    if (!pipe) throw zmq::error_t();
    stop_ = *std::move(pipe);
    thread_ = std::thread([this] { run(); });
  }
  ~Porter() {
    stop_.writer.reset();
    thread_.join();
  }

  void run() {
    pthread_setname_np(pthread_self(), "bus-door");
    std::array<zmq::pollitem_t, 2> items{
        {{questions_.handle(), 0, ZMQ_POLLIN, 0}, {nullptr, stop_.reader.get(), ZMQ_POLLIN, 0}}};
    while (true) {
      zmq::poll(items.data(), items.size(), std::chrono::milliseconds(-1));
      if (items[1].revents != 0) return;
      if (items[0].revents != 0) answer();
    }
  }

  void answer() {
    std::vector<std::string> frames;
    zmq::message_t frame;
    do {
      static_cast<void>(questions_.recv(frame, zmq::recv_flags::none));
      frames.push_back(frame.to_string());
    } while (frame.more());
    // Version, request, domain, address, identity, mechanism, credentials.
    const bool asks = frames.size() == 7 && frames[5] == "CURVE" && frames[6].size() == kCurveKeyBytes;
    const bool yes = asks && let_in(frames[2], identity::z85_encode(frames[6]));
    const std::array<std::string, 6> reply{
        "1.0", frames.size() > 1 ? frames[1] : "", yes ? "200" : "400", yes ? "OK" : "not known here", "", ""};
    for (std::size_t i = 0; i < reply.size(); ++i) {
      questions_.send(zmq::buffer(reply[i]), i + 1 < reply.size() ? zmq::send_flags::sndmore : zmq::send_flags::none);
    }
  }

  bool let_in(const std::string& domain, const std::string& key) {
    const std::lock_guard hold(mutex_);
    const auto door = doors_.find(domain);
    return door != doors_.end() && door->second->let_in(key);
  }

  std::mutex mutex_;
  std::map<std::string, Door*> doors_;
  zmq::socket_t questions_;
  os::Pipe stop_;
  std::thread thread_;
};

Door::Door(Allows allows, std::function<bool()> takes_new)
    : name_(random_hex(8)), allows_(std::move(allows)), takes_new_(std::move(takes_new)) {
  Porter::instance().add(name_, *this);
}

Door::~Door() { Porter::instance().remove(name_); }

void Door::guard(zmq::socket_t& socket, const std::string& curve_secret) const {
  socket.set(zmq::sockopt::curve_server, true);
  socket.set(zmq::sockopt::curve_secretkey, curve_secret);
  socket.set(zmq::sockopt::zap_domain, name_);
}

bool Door::let_in(const std::string& curve_public) {
  const std::lock_guard hold(mutex_);
  if (!takes_new_() || !allows_(curve_public)) return false;
  inside_.insert(curve_public);
  return true;
}

bool Door::has_unwelcome() const {
  const std::lock_guard hold(mutex_);
  return std::ranges::any_of(inside_, [this](const std::string& key) { return !allows_(key); });
}

void Door::forget() {
  const std::lock_guard hold(mutex_);
  inside_.clear();
}

}  // namespace da::bus
