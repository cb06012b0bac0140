// Takes variables from the .env files of a run: the one in the working directory, then the one beside the profile. A
// variable of the real environment wins, even an empty one. Any thread.
//
// Anybody may have prepared such a directory, so that only these names are taken, and all others are ignored:
//   APP_ENV                                                log levels
//   OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY      keys, which only the planner gets
// In particular no address of a model's server (it would get the key of the real environment), no loader variable, no
// secret that the actuator types, and nothing of the policy. A file from which something would be taken must belong to
// this user, be no link, and not be writable for others; one with a key must not be readable for others.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "lib/base/result.h"
#include "lib/os/files/files.h"
#include "services/console/settings/resolved_settings.h"

namespace da::console {

struct TakenVariables {
  std::map<std::string, Variable, std::less<>> variables;
  std::vector<std::string> notes;  // Tell people which keys come from which file, and which names look mistyped.
};

// True for the names of keys.
bool is_model_key(std::string_view name);

// Whether something may be taken from a file with these rights; `has_key`: also a key. Pure.
Result<void> check_rights(const os::FileRights& rights, bool has_key, const std::string& path);

// `directories`: in the order of precedence; one without a .env has no effect. `is_set`: whether the real environment
// has a variable. Errors name file and line, never a value, and the command that mends the file.
Result<TakenVariables> read_environment_files(const std::vector<std::filesystem::path>& directories,
                                              const std::function<bool(const std::string& name)>& is_set);

}  // namespace da::console
