#include "services/planner/rules/edit/add_entry.h"

#include <algorithm>
#include <cctype>

#include "lib/base/path_text.h"
#include "lib/base/text.h"
#include "lib/os/files/files.h"
#include "lib/os/files/replace_file.h"
#include "services/planner/rules/profile/profile_file.h"

namespace da::planner::rules {
namespace {

constexpr std::string_view kEnding = ".png";
constexpr std::size_t kMaxFileName = 60;
constexpr int kMaxSameNames = 1000;

// ASCII letters, digits, "-" and "_" only, so that the file can be copied to any system.
std::string file_name_of(const std::string& template_name) {
  std::string file;
  for (const char c : template_name) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_';
    if (plain) file += c;
    if (!plain && !file.empty() && file.back() != '_') file += '_';
    if (file.size() == kMaxFileName) break;
  }
  while (file.ends_with('_')) file.pop_back();
  return file.empty() ? "template" : file;
}

Result<std::string> free_file_name(const std::filesystem::path& folder, const std::string& template_name) {
  const std::string name = file_name_of(template_name);
  for (int i = 1; i <= kMaxSameNames; ++i) {
    const std::string file = name + (i == 1 ? "" : "_" + std::to_string(i)) + std::string(kEnding);
    ASSIGN_OR_RETURN(const bool taken, os::exists(folder / file));
    if (!taken) return file;
  }
  return Error{Code::kAlreadyExists, text_of(folder) + " has too many files with the name " + name};
}

Result<void> check_picture(const std::string& picture) {
  if (!picture.starts_with("\x89PNG")) return Error{Code::kInvalidArgument, "the template's picture is not a PNG file"};
  if (picture.size() > kMaxTemplateBytes) {
    return Error{Code::kInvalidArgument, "the picture has " + std::to_string(picture.size()) +
                                             " bytes; a template has " + std::to_string(kMaxTemplateBytes) +
                                             " at most: choose a smaller part"};
  }
  return ok();
}

// The template's own file, or a new one. A link would let the profile choose a file outside of the folder.
Result<std::string> choose_file(const std::filesystem::path& folder, const NewEntry& added, const std::string& text) {
  const std::string name = added.entry.value("name", "");
  const std::string own = member_of_entry(text, added.list, name, "filename");
  const bool is_plain = own.ends_with(kEnding) && path_of(own).filename() == path_of(own);
  std::error_code error;
  const bool is_link = is_plain && std::filesystem::is_symlink(folder / path_of(own), error);
  if (added.same_name == SameName::kReplace && is_plain && !is_link) return own;
  return free_file_name(folder, name);
}

// A file that is written before the profile, and restored if the profile cannot be written.
class Picture {
 public:
  static Result<Picture> write(const std::filesystem::path& path, const std::string& content) {
    std::error_code error;
    std::filesystem::create_directories(path.parent_path(), error);
    if (error)
      return Error{Code::kFailedPrecondition, "create " + text_of(path.parent_path()) + ": " + error.message()};
    ASSIGN_OR_RETURN(const bool was_there, os::exists(path));
    Picture picture(path);
    if (was_there) {
      ASSIGN_OR_RETURN(picture.before_.emplace(), os::read_file(path));
    }
    RETURN_IF_ERROR(os::replace_file(path, content));
    return picture;
  }

  void undo() const {
    std::error_code ignored;
    if (before_) {
      static_cast<void>(os::replace_file(path_, *before_));
    } else {
      std::filesystem::remove(path_, ignored);
    }
  }

 private:
  explicit Picture(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
  std::optional<std::string> before_;
};

}  // namespace

Result<AddedEntry> add_entry(const std::filesystem::path& profile, const NewEntry& added) {
  ASSIGN_OR_RETURN(const std::string text, os::read_file(profile));
  const std::filesystem::path folder = profile.parent_path() / "templates";
  AddedEntry result{added.entry, {}, 0, 0};
  std::optional<Picture> picture;
  if (added.list == "templates") {
    RETURN_IF_ERROR(check_picture(added.picture));
    ASSIGN_OR_RETURN(const std::string file, choose_file(folder, added, text));
    result.entry["filename"] = file;
    result.picture = folder / path_of(file);
  }
  ASSIGN_OR_RETURN(const std::string edited, with_entry(text, added.list, result.entry, added.same_name));
  if (!result.picture.empty()) {
    ASSIGN_OR_RETURN(picture, Picture::write(result.picture, added.picture));
  }
  if (auto written = os::replace_file(profile, edited); !written) {
    if (picture) picture->undo();
    return written.error();
  }
  ASSIGN_OR_RETURN(const ReadProfile now, load_profile(profile));
  for (const Problem& problem : now.problems)
    ++(problem.severity == Severity::kError ? result.errors : result.warnings);
  for (const Document& one : now.document[added.list]) {
    if (one.is_object() && one.value("name", Document()) == added.entry["name"]) result.entry = one;
  }
  return result;
}

}  // namespace da::planner::rules
