// A deployment of a test's own: an authority, and an identity for each role that the others know.
#pragma once

#include <cstdlib>
#include <memory>
#include <string>
#include <thread>

#include "lib/identity/certificate_authority.h"
#include "lib/identity/credentials.h"

namespace da::test {

class Deployment {
 public:
  static constexpr std::chrono::hours kLasts{24};

  Deployment() {
    for (const identity::Role role : identity::kRoles) {
      const auto name = std::string(to_string(role)) + "@test";
      identities_.push_back(std::make_shared<const identity::Identity>(
          authority_.issue(role, name, {system_clock().wall_now(), kLasts}).value()));
      list_.list.push_back(authority_.peer_of(*identities_.back()));
    }
    list_.ca_pem = authority_.certificate_pem();
    known_ = std::make_shared<identity::KnownPeers>(list_);
  }

  identity::Credentials of(identity::Role role) const { return {identities_[static_cast<std::size_t>(role)], known_}; }

  const identity::CertificateAuthority& authority() const { return authority_; }
  const identity::Peers& list() const { return list_; }
  identity::KnownPeers& known() const { return *known_; }

  void revoke(identity::Role role) {
    list_.list[static_cast<std::size_t>(role)].revoked = true;
    replace();
  }
  // Its certificate ends now, by the peers file's word, and it is found out.
  void expire(identity::Role role) {
    list_.list[static_cast<std::size_t>(role)].expires = system_clock().wall_now() + Milliseconds(20);
    replace();
    while (known_->by_role(role)) std::this_thread::yield();
    known_->notify_expired();
  }

 private:
  void replace() {
    if (!known_->replace(list_)) std::abort();
  }

  const identity::CertificateAuthority authority_ =
      identity::CertificateAuthority::create("test", {system_clock().wall_now(), kLasts}).value();
  std::vector<std::shared_ptr<const identity::Identity>> identities_;
  identity::Peers list_;
  std::shared_ptr<identity::KnownPeers> known_;
};

}  // namespace da::test
