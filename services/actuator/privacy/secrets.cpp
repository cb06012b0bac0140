#include "services/actuator/privacy/secrets.h"

#include <algorithm>

#include "lib/base/name_text.h"
#include "lib/base/text.h"
#include "lib/contract/secret_placeholder.h"
#include "lib/os/files/files.h"
#include "lib/os/process/environment.h"
#include "lib/os/process/program_name.h"
#include "services/actuator/privacy/toml_fields.h"

namespace da::actuator {
namespace {

constexpr std::size_t kMaxValueBytes = 4096;
// A shorter value could be guessed by typing many candidates and watching which one is redacted.
constexpr std::size_t kShortestRedactedBytes = 8;
// The console passes variables with this prefix to the actuator only.
constexpr std::string_view kVariablePrefix = "DA_SECRET_";

// Accepts one line without control characters: a line break or tab would press enter or tab.
Result<void> check_value(const std::string& file, const toml::node& at, std::string_view value) {
  auto characters = decode_utf8(value);
  if (!characters) return toml_error(file, at, "the value is not valid UTF-8");
  const bool typeable =
      std::ranges::none_of(*characters, [](char32_t c) { return c < 0x20 || (c >= 0x7f && c < 0xa0); });
  wipe(characters->data(), characters->size() * sizeof(char32_t));
  if (!typeable) return toml_error(file, at, "the value contains a line break or another control character");
  if (value.size() > kMaxValueBytes) {
    return toml_error(file, at, "the value is longer than " + std::to_string(kMaxValueBytes) + " bytes");
  }
  return ok();
}

Result<WipedText<char>> take_variable(const std::string& file, const toml::node& at, const std::string& variable) {
  if (!variable.starts_with(kVariablePrefix)) {
    return toml_error(file, at, "env must name a variable that begins with " + std::string(kVariablePrefix));
  }
  auto found = os::environment_variable(variable);
  if (!found || found->empty()) return toml_error(file, at, "the environment variable is missing or empty");
  WipedText<char> value{std::string_view(*found)};
  wipe(found->data(), found->size());
  os::wipe_environment_variable(variable);
  RETURN_IF_ERROR(check_value(file, at, value.view()));
  return value;
}

Result<WipedText<char>> read_value(const std::string& file, toml::table& table) {
  toml::node* const value = table.get("value");
  toml::node* const variable = table.get("env");
  if ((value == nullptr) == (variable == nullptr)) return toml_error(file, table, "set exactly one of value and env");
  if (variable != nullptr) {
    ASSIGN_OR_RETURN(const auto name, toml_string(file, *variable, "env"));
    return take_variable(file, *variable, name);
  }
  auto* text = value->as_string();
  if (text == nullptr || text->get().empty())
    return toml_error(file, *value, "value must be a string that is not empty");
  RETURN_IF_ERROR(check_value(file, *value, text->get()));
  WipedText<char> kept{std::string_view(text->get())};
  wipe(text->get().data(), text->get().size());
  return kept;
}

Result<SecretScope> read_scope(const std::string& file, const toml::table& table) {
  SecretScope scope;
  for (auto&& [key, node] : table) {
    const std::string_view name = key.str();
    if (name == "executables") {
      ASSIGN_OR_RETURN(scope.executables, toml_strings(file, node, name));
    } else if (name == "windows") {
      ASSIGN_OR_RETURN(scope.windows, toml_pattern(file, node, name));
    } else if (name == "elements") {
      ASSIGN_OR_RETURN(scope.elements, toml_pattern(file, node, name));
    } else if (name == "roles") {
      ASSIGN_OR_RETURN(scope.roles, toml_strings(file, node, name));
    } else if (name != "name" && name != "value" && name != "env") {
      return toml_error(file, node, "unknown key; known are name, value, env, executables, windows, elements, roles");
    }
  }
  return scope;
}

Result<Secret> read_secret(const std::string& file, toml::table& table) {
  ASSIGN_OR_RETURN(auto value, read_value(file, table));
  const toml::node* const name = table.get("name");
  if (name == nullptr) return toml_error(file, table, "name is missing");
  ASSIGN_OR_RETURN(auto known_as, toml_string(file, *name, "name"));
  if (!contract::is_secret_name(known_as)) {
    return toml_error(file, *name, "name must be 1 to 64 letters, digits, \"_\", \"-\" or \".\"");
  }
  ASSIGN_OR_RETURN(auto scope, read_scope(file, table));
  return Secret{std::move(known_as), std::move(scope), std::move(value)};
}

}  // namespace

std::optional<std::string> SecretScope::objection(const WindowInfo& window, const Element& element) const {
  const auto runs = [&](const std::string& wanted) { return os::is_program(wanted, window.executable); };
  if (!executables.empty() && std::ranges::none_of(executables, runs)) return "not into this program";
  if (windows && !windows->matches(composed(window.title))) return "not into this window";
  if (!elements && roles.empty()) {
    return element.has(ElementState::kPassword) ? std::nullopt
                                                : std::optional<std::string>("only into password fields");
  }
  if (elements && !elements->matches(element.name)) return "not into an element of this name";
  if (!roles.empty() && std::ranges::find(roles, element.role) == roles.end()) {
    return "not into an element of this role";
  }
  return std::nullopt;
}

Result<Secrets> Secrets::load(const std::filesystem::path& path) {
  ASSIGN_OR_RETURN(std::string text, os::read_private_file(path));
  auto secrets = parse(text, path.string());
  wipe(text.data(), text.size());
  return secrets;
}

Result<Secrets> Secrets::parse(std::string_view toml, const std::string& name) {
  toml::table root;
  try {
    root = toml::parse(toml, name);
  } catch (const toml::parse_error& failure) {
    // The library's description quotes the file, so it is left out.
    const auto& at = failure.source().begin;
    return Error{Code::kInvalidArgument,
                 name + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) + ": not valid TOML"};
  } catch (const std::logic_error&) {
    return Error{Code::kInvalidArgument, name + ": not valid TOML"};
  }
  Secrets secrets;
  ASSIGN_OR_RETURN(const auto tables, toml_tables(name, root, "secret"));
  for (toml::table* table : tables) {
    ASSIGN_OR_RETURN(auto secret, read_secret(name, *table));
    if (secrets.find(secret.name) != nullptr) return toml_error(name, *table, "another secret has this name");
    secrets.all_.push_back(std::move(secret));
  }
  return secrets;
}

const Secret* Secrets::find(std::string_view name) const {
  const auto found = std::ranges::find(all_, name, &Secret::name);
  return found == all_.end() ? nullptr : &*found;
}

std::set<std::string> Secrets::names() const {
  std::set<std::string> names;
  for (const Secret& secret : all_) names.insert(secret.name);
  return names;
}

void Secrets::redact(std::string& text, const std::set<std::string>& names, std::string_view known) const {
  for (const Secret& secret : all_) {
    if (!names.contains(secret.name)) continue;
    const std::string_view value = secret.value.view();
    if (value.size() < kShortestRedactedBytes || known.find(value) != std::string_view::npos) continue;
    const std::string placeholder = "{{secret:" + secret.name + "}}";
    for (auto at = text.find(value); at != std::string::npos; at = text.find(value, at + placeholder.size())) {
      text.replace(at, value.size(), placeholder);
    }
  }
}

void Secrets::redact_cut(std::string& text, const std::set<std::string>& names) const {
  redact(text, names);
  for (const Secret& secret : all_) {
    if (!names.contains(secret.name)) continue;
    const std::string_view value = secret.value.view();
    for (auto left = std::min(value.size(), text.size()); left >= kShortestRedactedBytes; --left) {
      if (!text.ends_with(value.substr(0, left))) continue;
      text.replace(text.size() - left, left, "{{secret:" + secret.name + "}}");
      return;
    }
  }
}

void clear_secret_variables() {
  for (const std::string& name : os::environment_variable_names()) {
    if (name.starts_with(kVariablePrefix)) os::wipe_environment_variable(name);
  }
}

}  // namespace da::actuator
