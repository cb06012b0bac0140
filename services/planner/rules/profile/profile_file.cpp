#include "services/planner/rules/profile/profile_file.h"

#include <algorithm>

#include "lib/base/path_text.h"
#include "lib/base/text.h"
#include "lib/os/files/files.h"
#include "lib/os/files/replace_file.h"

namespace da::planner::rules {
namespace {

constexpr std::size_t kMaxFileBytes = 16 << 20;
constexpr int kIndent = 2;
constexpr std::size_t kMaxIndent = 8;
constexpr std::size_t kShownPath = 1000;

// Spaces before the first line that is indented.
int indent_of(std::string_view text) {
  const std::size_t line = text.find("\n ");
  if (line == std::string_view::npos) return kIndent;
  const std::size_t end = text.find_first_not_of(' ', line + 1);
  if (end == std::string_view::npos) return kIndent;
  return static_cast<int>(std::clamp<std::size_t>(end - line - 1, 1, kMaxIndent));
}

}  // namespace

bool is_picture(std::string_view content) {
  return content.starts_with("\x89PNG\r\n\x1a\n") || content.starts_with("\xff\xd8\xff");
}

Result<std::string> read_template_file(const std::filesystem::path& profile, const Template& image) {
  const auto name = std::filesystem::path("templates") / path_of(image.filename);
  auto content = os::read_file_below(profile.parent_path(), name, kMaxTemplateBytes);
  if (!content) return Error{content.error().code, escape_foreign(content.error().message, kShownPath)};
  if (!is_picture(*content)) {
    return Error{Code::kInvalidArgument,
                 escape_foreign(text_of(name), kShownPath) + " is neither a PNG nor a JPEG file"};
  }
  return content;
}

Result<ReadProfile> load_profile(const std::filesystem::path& path, ReadOptions options) {
  ASSIGN_OR_RETURN(const auto text, os::read_file(path, kMaxFileBytes));
  options.check_file = [&](const std::string& filename) -> std::optional<std::string> {
    const auto content = read_template_file(path, {filename, filename, {}});
    if (content) return std::nullopt;
    return "the template's file cannot be used: " + content.error().message;
  };
  return read_profile(text, options);
}

std::string profile_text(const Document& document, std::string_view like) {
  return document.dump(indent_of(like), ' ', false, Document::error_handler_t::replace) + "\n";
}

Result<void> save_profile(const std::filesystem::path& path, const Document& document) {
  const auto exists = os::exists(path);
  if (!exists) return exists.error();
  std::string before;
  if (*exists) {
    ASSIGN_OR_RETURN(before, os::read_file(path, kMaxFileBytes));
  }
  const std::string text = profile_text(document, before);
  const auto read = read_profile(text);
  const auto fault = std::ranges::find(read.problems, Severity::kError, &Problem::severity);
  if (fault != read.problems.end()) {
    return Error{Code::kInvalidArgument, "the profile is not saved: " + problem_text(text_of(path), *fault)};
  }
  return os::replace_file(path, text);
}

}  // namespace da::planner::rules
