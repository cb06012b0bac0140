#include "tests/bench/bare_messages.h"

#include "lib/os/files.h"

namespace da::bench {

Result<void> BareMessages::save(const std::filesystem::path& directory) const {
  RETURN_IF_ERROR(os::write_private_file(directory / "submitted", submitted.SerializeAsString()));
  RETURN_IF_ERROR(os::write_private_file(directory / "evidence", evidence.SerializeAsString()));
  return os::write_private_file(directory / "outcome", outcome.SerializeAsString());
}

Result<BareMessages> BareMessages::load_replies(const std::filesystem::path& directory) {
  BareMessages messages;
  ASSIGN_OR_RETURN(const auto submitted, os::read_file(directory / "submitted"));
  ASSIGN_OR_RETURN(const auto evidence, os::read_file(directory / "evidence"));
  ASSIGN_OR_RETURN(const auto outcome, os::read_file(directory / "outcome"));
  if (!messages.submitted.ParseFromString(submitted) || !messages.evidence.ParseFromString(evidence) ||
      !messages.outcome.ParseFromString(outcome)) {
    return Error{Code::kDataLoss, "the messages in " + directory.string() + " are broken"};
  }
  return messages;
}

}  // namespace da::bench
