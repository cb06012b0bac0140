// `da-policy rules accept`, which `da-console policy accept` starts: a person puts a changed rule file in force.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace da::policy {

struct AcceptArguments {
  std::string rule_file;
  std::string state;          // The policy's state directory.
  std::string second_factor;  // The directory of second factors.
  std::string person;
  std::string version;  // Version of the file that is meant; empty: ask on the terminal.
  std::string code;     // Code of the second factor; empty: ask on the terminal.
};

void add_accept_flags(CLI::App& command, AcceptArguments& arguments);

// Shows what the file changes, asks whether to accept it, and for a code where anybody is enrolled. Exit code: 0
// accepted, 1 not accepted, 2 an unusable file.
int accept_rules(const AcceptArguments& arguments);

}  // namespace da::policy
