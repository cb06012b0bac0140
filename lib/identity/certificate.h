// What a certificate of ours says, and whether it holds. Pure but for OpenSSL; any thread. Certificates are hostile
// until they are verified: sizes are bounded, and what is wrong is told in words.
#pragma once

#include <string>
#include <string_view>

#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "lib/identity/role.h"

namespace da::identity {

// "policy@vm-12": a role, and a machine: letters a-z, digits, dots and hyphens, beginning with a letter or digit.
// At most 64 characters, as X.509 has it for a common name.
Result<void> check_name(Role role, std::string_view name);

// "vm-12" of "policy@vm-12".
std::string_view machine_of(std::string_view name);

struct Certificate {
  Role role;         // From the one DNS name that it is for.
  std::string name;  // Its common name.
  std::string serial;
  std::string fingerprint;
  WallTime not_before;
  WallTime not_after;
};

// Reads a certificate of one process, and checks its shape: one DNS name, which is a role's; a name that fits it; for
// servers and clients. Says nothing about who signed it.
Result<Certificate> read_certificate(std::string_view pem);

// When any certificate ends, an authority's too.
Result<WallTime> expiry_of(std::string_view pem);

// Whether the authority issued it, for servers and for clients, and it is valid at that time.
Result<void> verify_certificate(std::string_view pem, std::string_view ca_pem, WallTime at);

}  // namespace da::identity
