// What the parent process of an embedded run hands over by inherited descriptors: identity, a secret, and two pipes for
// readiness and for the parent's end. On Windows a service has no such parent: the flags are missing, and every method
// says that there is nothing. The main thread.
#pragma once

#include <optional>
#include <string>

#include "lib/base/result.h"
#include "lib/identity/identity.h"

namespace CLI {
class App;
}

namespace da::service {

class Parent {
 public:
  // Adds --identity-fd, --ready-fd, --lifeline-fd and, if the service takes a secret, --secret-fd. This object must
  // outlive the parsing. `secret`: what it is, such as "signing key", or empty.
  void add_flags(CLI::App& app, const std::string& secret);

  // Whether the service must stop when its parent ends.
  bool exists() const { return lifeline_ >= 0; }
  // Becomes readable when the parent ends; -1: none.
  int lifeline() const { return lifeline_; }
  bool is_gone() const;

  // Once each; nullopt if nothing was handed over. The caller wipes the secret.
  Result<std::optional<identity::Identity>> take_identity();
  Result<std::optional<std::string>> take_secret();
  // Tells the parent that the service serves.
  void report_ready();

 private:
  int identity_ = -1;
  int secret_ = -1;
  int ready_ = -1;
  int lifeline_ = -1;
};

}  // namespace da::service
