// The pictures of questions, kept as files that a person can open, as long as their question is open. Of an embedded
// run they lie in its own directory, and go with it. Several consoles may keep the same. Any thread.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "da/v1/policy_rpc.pb.h"
#include "da/v1/verdict.pb.h"
#include "lib/base/result.h"
#include "services/console/session/clients_rpc.h"

namespace da::console {

class ApprovalPictures {
 public:
  // Of the run or the services that this configuration names.
  static ApprovalPictures of(const std::filesystem::path& config_file);

  explicit ApprovalPictures(std::filesystem::path directory) : directory_(std::move(directory)) {}

  // Where it was written, with mode 0600; empty where the question has none, or where it cannot be written.
  std::string keep(const v1::ApprovalRequest& request) const;

  // The questions whose pictures are kept.
  std::vector<std::string> kept() const;
  // Removes those that are not of these questions. `before` is what was kept before it was asked what waits: the
  // picture of a question that came since then stays.
  void remove_all_but(const v1::ListPendingReply& waiting, const std::vector<std::string>& before) const;

 private:
  std::filesystem::path file_of(const std::string& id) const { return directory_ / (id + ".png"); }

  std::filesystem::path directory_;
};

// All that waits for an approval; the pictures of what does not any more are removed.
Result<v1::ListPendingReply> pending_approvals(const PolicyClient& policy, const ApprovalPictures& pictures);

}  // namespace da::console
