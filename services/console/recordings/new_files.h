// Writes files with foreign names into a directory: never outside it, never over an existing file, with mode 0600.
// Not thread-safe.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "lib/base/result.h"

namespace da::console {

// A name without directories, of letters, digits and "._-", at most 100 characters, and never hidden.
std::string safe_file_name(std::string_view foreign);

class NewFiles {
 public:
  // Creates the directory with mode 0700 if it is missing.
  static Result<NewFiles> open(const std::filesystem::path& directory);

  // A second file of the same name in this run becomes "NAME-2.EXTENSION". kAlreadyExists if there is such a file from
  // before.
  Result<std::filesystem::path> write(std::string_view foreign_name, std::string_view content);

 private:
  explicit NewFiles(std::filesystem::path directory) : directory_(std::move(directory)) {}
  std::string unused(const std::filesystem::path& name);

  std::filesystem::path directory_;
  std::set<std::string> used_;
  std::map<std::string, int> last_number_;  // By name, of those that needed one.
};

}  // namespace da::console
