#include "services/console/terminal/approval_picture.h"

#include <algorithm>

#include "lib/os/files.h"

namespace da::console {

std::string keep_picture(const v1::ApprovalRequest& request) {
  const std::string& png = request.evidence().picture_png();
  const std::string& id = request.approval_id();
  const bool plain = !id.empty() && std::ranges::all_of(id, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  });
  if (png.empty() || !plain) return {};
  const auto directory = os::runtime_directory() / "approvals";
  const auto file = directory / (id + ".png");
  if (!os::make_private_directory(directory) || !os::write_private_file(file, png)) return {};
  return file.string();
}

}  // namespace da::console
