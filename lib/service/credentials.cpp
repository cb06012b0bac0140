#include "lib/service/credentials.h"

#include <pthread.h>
#include <spdlog/spdlog.h>

#include <condition_variable>
#include <mutex>

namespace da::service {
namespace {

constexpr Milliseconds kExpiryCheckInterval{1'000};

Result<identity::Identity> load_own_identity(const Config& config) {
  ASSIGN_OR_RETURN(const auto file, config.secret_path("identity.file"));
  return identity::load_identity(file);
}

// Reads one peers file. Runs on the watch's thread.
class PeersReader {
 public:
  PeersReader(std::shared_ptr<identity::KnownPeers> known, std::filesystem::path file)
      : known_(std::move(known)), file_(std::move(file)) {}

  os::FileWatch::Read read() {
    auto peers = identity::load_peers(file_);
    if (peers && tries_ == 0 && known_->has(*peers)) return os::FileWatch::Read::kDone;
    const auto replaced = peers ? known_->replace(*std::move(peers)) : Result<void>(peers.error());
    if (replaced) {
      spdlog::warn("the changed peers file is in force");
      tries_ = 0;
      return os::FileWatch::Read::kDone;
    }
    // The first failure may be a file that is being replaced.
    if (++tries_ > 1) known_->set_unread(replaced.error().message);
    // A missing file is not logged: refused peers see the error, and at the end of an embedded run it is normal.
    const bool is_gone = replaced.error().code == Code::kNotFound;
    if (tries_ == 2 && !is_gone) {
      spdlog::error("the peers file cannot be read, so new requests are refused: {}", replaced.error().message);
    }
    return os::FileWatch::Read::kAgain;
  }

 private:
  const std::shared_ptr<identity::KnownPeers> known_;
  const std::filesystem::path file_;
  int tries_ = 0;
};

void run_expiry(identity::KnownPeers& known, const std::stop_token& stop) {
  pthread_setname_np(pthread_self(), "expiry");
  std::mutex mutex;
  std::condition_variable_any never;
  while (!stop.stop_requested()) {
    known.notify_expired();
    std::unique_lock hold(mutex);
    never.wait_for(hold, stop, kExpiryCheckInterval, [] { return false; });
  }
}

}  // namespace

LiveCredentials::LiveCredentials(identity::Credentials credentials, std::unique_ptr<os::FileWatch> watch)
    : credentials_(std::move(credentials)),
      watch_(std::move(watch)),
      expiry_([known = credentials_.peers](const std::stop_token& stop) { run_expiry(*known, stop); }) {}

Result<LiveCredentials> LiveCredentials::open(const Config& config, identity::Role role,
                                              std::optional<identity::Identity> identity) {
  if (!identity) {
    ASSIGN_OR_RETURN(identity, load_own_identity(config));
  }
  identity::Identity& own = *identity;
  if (own.role != role) {
    return Error{Code::kInvalidArgument,
                 own.name + " is not an identity of role " + std::string(to_string(role)) + ": check [identity] file"};
  }
  ASSIGN_OR_RETURN(const auto file, config.path("peers.file"));
  ASSIGN_OR_RETURN(auto peers, identity::load_peers(file));
  identity::Credentials credentials{std::make_shared<const identity::Identity>(std::move(own)),
                                    std::make_shared<identity::KnownPeers>(std::move(peers))};
  ASSIGN_OR_RETURN(auto watch, os::FileWatch::open(file, [reader = PeersReader(credentials.peers, file)]() mutable {
                     return reader.read();
                   }));
  return LiveCredentials(std::move(credentials), std::move(watch));
}

}  // namespace da::service
