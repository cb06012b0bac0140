// What may be typed without anyone else knowing it: a private TOML file (mode 0600, owned by this user), read at the
// start and kept in memory that is wiped at the end.
//
//   [[secret]]
//   name = "mail"                         # letters, digits, "_", "-", "."; text says {{secret:mail}}
//   value = "correct horse"               # one line; or env = "DA_SECRET_MAIL", which is removed from the environment
//   executables = ["thunderbird"]         # optional: base names or absolute paths of the programs it may be typed into
//   windows = '^Log in'                   # optional: patterns (RE2) on the window's title
//   elements = '^Access token$'           # optional: patterns on the element's name
//   roles = ["text"]                      # optional: the element's role
//
// Without `elements` and `roles` only password fields take it; with them, whatever matches all that is given.
// Immutable; any thread. Errors name file, line and column, and never a value.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/base/pattern.h"
#include "lib/base/result.h"
#include "services/actuator/desktop/desktop.h"
#include "services/actuator/wiped_text.h"

namespace da::actuator {

// Where a secret may be typed. What is not set does not restrict.
struct SecretScope {
  std::vector<std::string> executables;
  std::optional<Pattern> windows;
  std::optional<Pattern> elements;
  std::vector<std::string> roles;

  // nullopt where it may be typed there; else why not, for people.
  std::optional<std::string> objection(const WindowInfo& window, const Element& element) const;
};

struct Secret {
  std::string name;
  SecretScope scope;
  WipedText<char> value;  // UTF-8 without control characters.
};

class Secrets {
 public:
  Secrets() = default;
  // kNotFound, kPermissionDenied (others may read it), kInvalidArgument.
  static Result<Secrets> load(const std::filesystem::path& path);
  static Result<Secrets> parse(std::string_view toml, const std::string& name);

  const Secret* find(std::string_view name) const;
  std::size_t size() const { return all_.size(); }

  // Puts {{secret:name}} where the text holds a value. Short values stay: they could be found out by asking which of
  // many guesses are replaced.
  void redact(std::string& text) const;
  // The same for a text whose end was cut off, perhaps within a value.
  void redact_cut(std::string& text) const;

 private:
  std::vector<Secret> all_;
};

// Takes the variables that env may name, DA_SECRET_*, out of this process's environment, so that no program that it
// starts inherits one. Before there is another thread.
void clear_secret_variables();

// May stand in {{secret:...}}.
bool is_secret_name(std::string_view name);

}  // namespace da::actuator
