#include "tests/bench/bare_messages.h"

#include "lib/os/files/files.h"

namespace da::bench {

Result<void> BareMessages::save(const std::filesystem::path& directory) const {
  RETURN_IF_ERROR(os::write_private_file(directory / "submitted", submitted.SerializeAsString()));
  RETURN_IF_ERROR(os::write_private_file(directory / "evidence", evidence.SerializeAsString()));
  RETURN_IF_ERROR(os::write_private_file(directory / "outcome", outcome.SerializeAsString()));
  RETURN_IF_ERROR(os::write_private_file(directory / "prepare", prepare.SerializeAsString()));
  return os::write_private_file(directory / "execute", execute.SerializeAsString());
}

Result<BareMessages> BareMessages::load(const std::filesystem::path& directory) {
  BareMessages messages;
  const auto read = [&](const char* name, google::protobuf::MessageLite& message) -> Result<void> {
    ASSIGN_OR_RETURN(const auto bytes, os::read_file(directory / name));
    if (message.ParseFromString(bytes)) return ok();
    return Error{Code::kDataLoss, "the message " + (directory / name).string() + " is broken"};
  };
  RETURN_IF_ERROR(read("submitted", messages.submitted));
  RETURN_IF_ERROR(read("evidence", messages.evidence));
  RETURN_IF_ERROR(read("outcome", messages.outcome));
  RETURN_IF_ERROR(read("prepare", messages.prepare));
  RETURN_IF_ERROR(read("execute", messages.execute));
  return messages;
}

}  // namespace da::bench
