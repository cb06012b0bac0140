// The current peers. A replacement takes effect at once; listeners close connections of revoked peers. Any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "lib/identity/identity.h"

namespace da::identity {

class KnownPeers {
 public:
  explicit KnownPeers(Peers peers, const Clock& clock = system_clock())
      : clock_(clock), ca_pem_(peers.ca_pem), peers_(std::move(peers)) {}
  KnownPeers(const KnownPeers&) = delete;
  KnownPeers& operator=(const KnownPeers&) = delete;

  // An error if the CA differs from the first one: certificates are checked against that one until a restart.
  Result<void> replace(Peers peers);
  // Whether these are the peers in force.
  bool has(const Peers& peers) const;
  // Call this if the current peers cannot be read: some may have been revoked. Lasts until the next replace().
  void set_unread(std::string why);
  // kUnavailable after set_unread(), with its reason. Check it before new work for a peer, not before stopping work.
  Result<void> check_read() const;

  // Calls the listeners if a peer has expired since the last call. Call it regularly.
  void notify_expired();

  // nullopt if unknown, revoked or expired.
  std::optional<Peer> by_fingerprint(std::string_view fingerprint) const;
  std::optional<Peer> by_curve_key(std::string_view curve_public) const;
  std::optional<Peer> by_role(Role role) const;

  const std::string& ca_pem() const { return ca_pem_; }

  // Calls `changed` after a replacement or an expiry, on the causing thread. `changed` must not create a Listener.
  class Listener {
   public:
    Listener(KnownPeers& peers, std::function<void()> changed);
    ~Listener();
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;

   private:
    KnownPeers& peers_;
    std::uint64_t id_;
  };

 private:
  std::optional<Peer> if_valid(const Peer* peer) const;

  const Clock& clock_;
  const std::string ca_pem_;
  mutable std::mutex mutex_;
  Peers peers_;
  std::size_t expired_ = 0;     // Number of expired peers at the last notification.
  std::string unread_;          // The reason of set_unread(); empty if the peers are current.
  std::mutex listeners_mutex_;  // Held during the callbacks. Locked before mutex_.
  std::map<std::uint64_t, std::function<void()>> listeners_;
  std::uint64_t last_id_ = 0;
};

}  // namespace da::identity
