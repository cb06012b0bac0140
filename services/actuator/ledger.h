// What this desktop was asked to do, on disk: the intent before the act, the outcome after it. A grant that is
// presented again gets the outcome that was recorded; an intent without an outcome (the actuator died in between) is an
// action in doubt: unknown, and never repeated. Any thread.
//
// File: records of `u32 length, u32 check, body`, little endian. The check is the first 4 bytes of BLAKE2b-128 of the
// body; the body is a serialised Outcome, an intent one of KIND_UNSPECIFIED. A torn record (a crash, a full disk) is
// passed over: at the end it is cut off, and elsewhere the next record is looked for behind it.
#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "da/v1/outcome.pb.h"
#include "lib/base/result.h"
#include "lib/os/unique_fd.h"

namespace da::actuator {

class Ledger {
 public:
  static Result<std::unique_ptr<Ledger>> open(const std::filesystem::path& file);

  // nullopt: the intent is durable, go ahead. Otherwise what became of this grant; do not act.
  Result<std::optional<v1::Outcome>> begin(const v1::Outcome& intent);
  // What was recorded for this grant; nullopt where it was never begun.
  std::optional<v1::Outcome> find(const std::string& grant_id);
  // Must follow a begin() that let the act go ahead.
  Result<void> finish(const v1::Outcome& outcome);

 private:
  explicit Ledger(os::UniqueFd fd) : fd_(std::move(fd)) {}
  enum class TornEnd { kCutOff, kLeave };
  Result<void> load(TornEnd torn_end);
  Result<void> append(const v1::Outcome& record);
  void remember(const v1::Outcome& record);

  std::mutex mutex_;
  os::UniqueFd fd_;
  std::map<std::string, v1::Outcome> outcomes_;  // By grant id.
};

}  // namespace da::actuator
