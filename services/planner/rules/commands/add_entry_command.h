// `da-planner profile add`, which `da-console add-region` and `add-template` start. Main thread.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace da::planner::rules {

struct AddEntryArguments {
  std::string list;
  std::string profile;
  std::string entry;  // JSON.
  bool replace = false;
};

// Adds the subcommand, which --help does not list. `arguments` must outlive the app.
CLI::App* add_entry_command(CLI::App& app, AddEntryArguments& arguments);

// Reads the picture of a template from stdin. Prints one JSON object: list, entry, picture (a path; only of a
// template), errors and warnings of the profile. 0; 1: nothing is changed, for a reason that stderr has; 2: bad usage.
int run_add_entry(const AddEntryArguments& arguments);

}  // namespace da::planner::rules
