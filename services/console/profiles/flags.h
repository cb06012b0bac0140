// The command lines of `add-region`, `add-template` and `edit`. Main thread.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>
#include <string>

#include "services/console/profiles/options.h"

namespace da::console {

struct ProfileFlags {
  AddToProfileOptions addition;
  bool json = false;
  std::string edited;  // A profile, or the id of a pending step.
  std::string edit_tool;
  std::string edit_arguments;
};

// The flags of the whole program that count for these commands.
struct DesktopFlags {
  std::filesystem::path config;
  std::string backend;
};
using RunProfileCommand = std::function<int(const DesktopFlags&)>;
using AddProfileCommand =
    std::function<void(const std::string& name, const std::string& help, const RunProfileCommand& run,
                       const std::function<void(CLI::App&)>& flags)>;

// Calls `add` for each command. `flags` must outlive the app.
void add_profile_commands(ProfileFlags& flags, const AddProfileCommand& add);

}  // namespace da::console
