// The peers as they are now. Whoever replaces them changes what holds from then on, for every connection of this
// process: what was let in before is told, and can close what no longer may be open. Any thread.
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
  explicit KnownPeers(Peers peers) : ca_pem_(peers.ca_pem), peers_(std::move(peers)) {}
  KnownPeers(const KnownPeers&) = delete;
  KnownPeers& operator=(const KnownPeers&) = delete;

  // Every certificate is checked against the authority of the start; an error where another one is given, because that
  // takes a restart.
  Result<void> replace(Peers peers);
  // Whoever keeps the peers could not read what they are now: some may be revoked. Until the next replace().
  void set_unread(std::string why);
  // kUnavailable, with the reason, from set_unread() on. Before anything new is done for a peer; what only stops is
  // done.
  Result<void> check_read() const;

  // nullopt where it is unknown or revoked.
  std::optional<Peer> by_fingerprint(std::string_view fingerprint) const;
  std::optional<Peer> by_curve_key(std::string_view curve_public) const;
  std::optional<Peer> by_role(Role role) const;

  const std::string& ca_pem() const { return ca_pem_; }

  // Called after each replacement, on the thread that replaced, until the Listening ends. It must not listen anew.
  class Listening {
   public:
    Listening(KnownPeers& peers, std::function<void()> changed);
    ~Listening();
    Listening(const Listening&) = delete;
    Listening& operator=(const Listening&) = delete;

   private:
    KnownPeers& peers_;
    std::uint64_t id_;
  };

 private:
  const std::string ca_pem_;
  mutable std::mutex mutex_;
  Peers peers_;
  std::string unread_;          // Why; empty: they are as they were read last.
  std::mutex listeners_mutex_;  // Held while they are called. Taken first.
  std::map<std::uint64_t, std::function<void()>> listeners_;
  std::uint64_t last_id_ = 0;
};

}  // namespace da::identity
