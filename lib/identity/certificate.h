// Reads and verifies X.509 certificates. Input is hostile until verified, so sizes are limited. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "lib/identity/role.h"

namespace da::identity {

// Checks a name such as "policy@vm-12": a role and a machine. The machine has letters a-z, digits, dots and hyphens,
// and begins with a letter or digit. At most 64 characters, X.509's limit for a common name.
Result<void> check_name(Role role, std::string_view name);

// "vm-12" of "policy@vm-12".
std::string_view machine_of(std::string_view name);

struct Certificate {
  Role role;         // Read from its only DNS name.
  std::string name;  // Its common name.
  std::string serial;
  std::string fingerprint;
  WallTime not_before;
  WallTime not_after;
};

// Checks a process's certificate: one DNS name of a role, a matching common name, client and server use. Not its
// issuer.
Result<Certificate> read_certificate(std::string_view pem);

// When a certificate expires. Also takes a CA certificate.
Result<WallTime> expiry_of(std::string_view pem);

// Whether the CA issued it for servers and clients, and it is valid at that time.
Result<void> verify_certificate(std::string_view pem, std::string_view ca_pem, WallTime at);

}  // namespace da::identity
