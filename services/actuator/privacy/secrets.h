// Secrets that the actuator may type and no other process sees: a private TOML file (mode 0600, owned by this user),
// read at the start and kept in memory that is wiped at the end.
//
//   [[secret]]
//   name = "mail"                         # letters, digits, "_", "-", "."; text says {{secret:mail}}
//   value = "correct horse"               # one line; or env = "DA_SECRET_MAIL", which is removed from the environment
//   executables = ["thunderbird"]         # optional: base names or absolute paths of the programs it may be typed into
//   windows = '^Log in'                   # optional: patterns (RE2) on the window's title
//   elements = '^Access token$'           # optional: patterns on the element's name
//   roles = ["text"]                      # optional: the element's role
//
// Without `elements` and `roles`, only password fields match; with them, every element that matches all given keys.
// Immutable; any thread. Errors name file, line and column, and never a value.
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lib/base/pattern.h"
#include "lib/base/result.h"
#include "services/actuator/desktop/roles/ui_tree.h"
#include "services/actuator/desktop/roles/windows.h"
#include "services/actuator/privacy/wiped_text.h"

namespace da::actuator {

// Where a secret may be typed. Unset members do not restrict.
struct SecretScope {
  std::vector<std::string> executables;
  std::optional<Pattern> windows;
  std::optional<Pattern> elements;
  std::vector<std::string> roles;

  // nullopt: the secret may be typed there; else the reason why not.
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
  // kNotFound, kPermissionDenied (other users may read the file), kInvalidArgument.
  static Result<Secrets> load(const std::filesystem::path& path);
  static Result<Secrets> parse(std::string_view toml, const std::string& name);

  const Secret* find(std::string_view name) const;
  std::size_t size() const { return all_.size(); }

  // The names of all secrets.
  std::set<std::string> names() const;

  // Replaces the values of the secrets with these names in the text by {{secret:name}}. Short values stay: redacting
  // them would confirm guesses. Values in `known` stay too: its author may read `text`, and would learn that a guess
  // was right.
  void redact(std::string& text, const std::set<std::string>& names, std::string_view known = {}) const;
  // The same for a text that was cut off, perhaps within a value.
  void redact_cut(std::string& text, const std::set<std::string>& names) const;

 private:
  std::vector<Secret> all_;
};

// Removes DA_SECRET_*, the variables that `env` may name, from this process's environment, so that no program that
// it starts inherits one. Call it before other threads start.
void clear_secret_variables();

}  // namespace da::actuator
