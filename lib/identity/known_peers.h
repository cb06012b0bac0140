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
  explicit KnownPeers(Peers peers, const Clock& clock = system_clock())
      : clock_(clock), ca_pem_(peers.ca_pem), peers_(std::move(peers)) {}
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

  // Calls the listeners where a peer has expired since the last time, because nothing else would. Whoever keeps the
  // peers calls it every now and then.
  void tell_of_expired();

  // nullopt where it is unknown, revoked or has expired.
  std::optional<Peer> by_fingerprint(std::string_view fingerprint) const;
  std::optional<Peer> by_curve_key(std::string_view curve_public) const;
  std::optional<Peer> by_role(Role role) const;

  const std::string& ca_pem() const { return ca_pem_; }

  // Called after each replacement and where a peer has expired, on the thread that found out, until the Listening ends.
  // It must not listen anew.
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
  std::optional<Peer> if_valid(const Peer* peer) const;

  const Clock& clock_;
  const std::string ca_pem_;
  mutable std::mutex mutex_;
  Peers peers_;
  std::size_t expired_ = 0;     // How many of them had, when the listeners were called last.
  std::string unread_;          // Why; empty: they are as they were read last.
  std::mutex listeners_mutex_;  // Held while they are called. Taken first.
  std::map<std::uint64_t, std::function<void()>> listeners_;
  std::uint64_t last_id_ = 0;
};

}  // namespace da::identity
