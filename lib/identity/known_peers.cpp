#include "lib/identity/known_peers.h"

#include <algorithm>
#include <utility>

namespace da::identity {

std::optional<Peer> KnownPeers::if_valid(const Peer* peer) const {
  if (peer == nullptr || peer->expires <= clock_.wall_now()) return std::nullopt;
  return *peer;
}
Result<void> KnownPeers::replace(Peers peers) {
  if (peers.ca_pem != ca_pem_) {
    return Error{Code::kFailedPrecondition, "the peers file has another CA certificate: restart to use it"};
  }
  const std::lock_guard listening(listeners_mutex_);
  {
    const std::lock_guard hold(mutex_);
    peers_ = std::move(peers);
    unread_.clear();
  }
  for (const auto& [id, changed] : listeners_) changed();
  return ok();
}

void KnownPeers::notify_expired() {
  const std::lock_guard listening(listeners_mutex_);
  {
    const std::lock_guard hold(mutex_);
    const auto has_expired = [now = clock_.wall_now()](const Peer& peer) { return peer.expires <= now; };
    const auto expired = static_cast<std::size_t>(std::ranges::count_if(peers_.list, has_expired));
    if (std::exchange(expired_, expired) == expired) return;
  }
  for (const auto& [id, changed] : listeners_) changed();
}

bool KnownPeers::has(const Peers& peers) const {
  const std::lock_guard hold(mutex_);
  return peers.ca_pem == peers_.ca_pem && peers.list == peers_.list;
}

void KnownPeers::set_unread(std::string why) {
  const std::lock_guard hold(mutex_);
  unread_ = std::move(why);
}

Result<void> KnownPeers::check_read() const {
  const std::lock_guard hold(mutex_);
  if (unread_.empty()) return ok();
  return Error{Code::kUnavailable, "the peers file cannot be read, so new requests are refused: " + unread_};
}

std::optional<Peer> KnownPeers::by_fingerprint(std::string_view fingerprint) const {
  const std::lock_guard hold(mutex_);
  return if_valid(peers_.by_fingerprint(fingerprint));
}

std::optional<Peer> KnownPeers::by_curve_key(std::string_view curve_public) const {
  const std::lock_guard hold(mutex_);
  return if_valid(peers_.by_curve_key(curve_public));
}

std::optional<Peer> KnownPeers::by_role(Role role) const {
  const std::lock_guard hold(mutex_);
  return if_valid(peers_.by_role(role));
}

KnownPeers::Listener::Listener(KnownPeers& peers, std::function<void()> changed) : peers_(peers) {
  const std::lock_guard hold(peers.listeners_mutex_);
  id_ = ++peers.last_id_;
  peers.listeners_.emplace(id_, std::move(changed));
}

KnownPeers::Listener::~Listener() {
  const std::lock_guard hold(peers_.listeners_mutex_);
  peers_.listeners_.erase(id_);
}

}  // namespace da::identity
