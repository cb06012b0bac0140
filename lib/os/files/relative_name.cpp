#include "lib/os/files/relative_name.h"

#include <algorithm>

#include "lib/base/path_text.h"

namespace da::os {

Result<void> stays_below_its_folder(const std::filesystem::path& name) {
  const bool leads_out =
      name.has_root_path() || std::ranges::any_of(name, [](const auto& part) { return part.empty() || part == ".."; });
  if (!name.empty() && !leads_out) return ok();
  return Error{Code::kInvalidArgument, "\"" + text_of(name) + "\" is no name of a file in its folder"};
}

}  // namespace da::os
