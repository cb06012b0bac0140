// Adds a region or a template to the file of a profile, and writes the picture of a template to the folder templates/
// beside it. Each file is replaced in one step; after an error both are as they were. Any thread.
#pragma once

#include <filesystem>
#include <string>

#include "services/planner/rules/edit/profile_edit.h"

namespace da::planner::rules {

struct NewEntry {
  std::string list;  // "regions" or "templates".
  Document entry;    // Entry for with_entry(); add_entry() chooses a template's filename.
  SameName same_name = SameName::kRefuse;
  std::string picture;  // PNG; only of a template.
};

struct AddedEntry {
  Document entry;                 // The entry as it is in the profile now.
  std::filesystem::path picture;  // File of the new picture; empty for a region.
  std::size_t errors = 0;         // Counted in the whole profile; `profile check` shows them.
  std::size_t warnings = 0;
};

// A new picture gets a name that no file of the folder has, because profiles share it. kReplace overwrites the
// template's own file. Errors: as of with_entry(), os::read_file() and os::replace_file(); kInvalidArgument for the
// picture.
Result<AddedEntry> add_entry(const std::filesystem::path& profile, const NewEntry& added);

}  // namespace da::planner::rules
