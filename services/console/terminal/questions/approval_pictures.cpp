#include "services/console/terminal/questions/approval_pictures.h"

#include <algorithm>
#include <functional>

#include "lib/os/files/files.h"

namespace da::console {
namespace {

// For an embedded run, in its directory; otherwise in a directory of its own for each configuration.
std::filesystem::path directory_for(const std::filesystem::path& config_file) {
  const auto file = std::filesystem::absolute(config_file).lexically_normal();
  const auto run = file.parent_path();
  if (run.parent_path() == os::runtime_directory().lexically_normal() && run.filename().string().starts_with("run-")) {
    return run / "approvals";
  }
  return os::runtime_directory() / "approvals" / std::to_string(std::hash<std::string>()(file.string()));
}

bool is_safe_file_name(const std::string& id) {
  return !id.empty() &&
         std::ranges::all_of(id, [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; });
}

}  // namespace

ApprovalPictures ApprovalPictures::of(const std::filesystem::path& config_file) {
  return ApprovalPictures(directory_for(config_file));
}

std::string ApprovalPictures::keep(const v1::ApprovalRequest& request) const {
  const std::string& png = request.evidence().picture_png();
  if (png.empty() || !is_safe_file_name(request.approval_id())) return {};
  const auto file = file_of(request.approval_id());
  if (!os::make_private_directory(directory_) || !os::write_private_file(file, png)) return {};
  return file.string();
}

std::vector<std::string> ApprovalPictures::kept() const {
  std::vector<std::string> ids;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(directory_, error)) {
    if (entry.path().extension() == ".png") ids.push_back(entry.path().stem().string());
  }
  return ids;
}

void ApprovalPictures::remove_all_but(const v1::ListPendingReply& waiting,
                                      const std::vector<std::string>& before) const {
  for (const std::string& id : before) {
    const auto& asked = waiting.pending();
    if (std::ranges::find(asked, id, &v1::ApprovalRequest::approval_id) != asked.end()) continue;
    std::error_code ignored;  // Another console may have removed it.
    std::filesystem::remove(file_of(id), ignored);
  }
}

Result<v1::ListPendingReply> pending_approvals(const PolicyClient& policy, const ApprovalPictures& pictures) {
  const auto before = pictures.kept();
  auto waiting = policy.pending();
  if (waiting) pictures.remove_all_but(*waiting, before);
  return waiting;
}

}  // namespace da::console
