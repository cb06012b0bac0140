// Saves the pictures of open approvals as files that a person can open. Those of an embedded run are in the run's
// directory and are deleted with it. Several consoles may save the same pictures. Any thread.
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
  // Chooses the directory for the services of this configuration.
  static ApprovalPictures of(const std::filesystem::path& config_file);

  explicit ApprovalPictures(std::filesystem::path directory) : directory_(std::move(directory)) {}

  // Writes the picture with mode 0600 and returns its path; empty if there is no picture or the write fails.
  std::string keep(const v1::ApprovalRequest& request) const;

  // Ids of the approvals with a saved picture.
  std::vector<std::string> kept() const;
  // Deletes the pictures in `before` whose approval is not in `waiting`. Call kept() for `before` before listing the
  // approvals, so that the picture of a newer approval stays.
  void remove_all_but(const v1::ListPendingReply& waiting, const std::vector<std::string>& before) const;

 private:
  std::filesystem::path file_of(const std::string& id) const { return directory_ / (id + ".png"); }

  std::filesystem::path directory_;
};

// Lists the pending approvals, and deletes the pictures of others.
Result<v1::ListPendingReply> pending_approvals(const PolicyClient& policy, const ApprovalPictures& pictures);

}  // namespace da::console
