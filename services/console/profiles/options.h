// The options of `add-region`, `add-template` and `edit PROFILE`. Plain data.
#pragma once

#include <filesystem>
#include <string>

#include "services/console/commands/commands.h"

namespace da::console {

struct AddToProfileOptions {
  std::filesystem::path config;  // Means the same as in LookOptions.
  std::string backend = "x11";
  std::filesystem::path profile;
  std::string name;     // Name of the region or template.
  std::string rect;     // "X,Y,WIDTH,HEIGHT"; empty: not given.
  std::string window;   // A part of a title; empty: the place is on the desktop.
  bool pick = false;    // The person marks the place at the desktop.
  std::string comment;  // Empty: none.
  bool replace = false;
  Format format = Format::kLines;
};

}  // namespace da::console
