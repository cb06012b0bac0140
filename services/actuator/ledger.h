// What this desktop was asked to do, on disk: the intent before the act, the outcome after it. A grant that is
// presented again gets the outcome that was recorded; an intent without an outcome (the actuator died in between) is an
// action in doubt: unknown, and never repeated. Any thread.
//
// That an action happens at most once does not hang on it alone: a challenge is used up in memory, and belongs to one
// start of the actuator (docs/design/0013). The ledger is what makes the answers true.
//
// File: records of `u32 length, u32 check, body`, little endian. The check is the first 4 bytes of BLAKE2b-128 of the
// body; the body is a serialised Outcome, an intent one of KIND_UNSPECIFIED, the start of an actuator one without a
// grant id. Header.instance is the actuator's boot id, Header.wall_ns when it was written. A torn record (a crash, a
// full disk) is passed over: the next one is looked for behind it.
//
// A file that has grown is replaced by what is still needed: actions in doubt, for ever; outcomes for as long as
// Retention says, five times the longest that a grant can hold (grant_check.cpp). A start of which anything was left
// out is left out too, and then tells_all_of() it no more.
#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "da/v1/outcome.pb.h"
#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "services/actuator/ledger_file.h"

namespace da::actuator {

class Ledger {
 public:
  struct Retention {
    std::size_t replace_from_bytes = 1 << 20;  // And when it has doubled since it was last replaced.
    Milliseconds outcomes_for{300'000};
  };
  struct Content {
    std::size_t outcomes = 0;
    std::size_t in_doubt = 0;  // Of earlier starts, or of one that runs beside this.
  };

  static Result<std::unique_ptr<Ledger>> open(const std::filesystem::path& file);
  static Result<std::unique_ptr<Ledger>> open(std::unique_ptr<LedgerFile> file, const Clock& clock,
                                              Retention retention);

  // The start of an actuator, before its first begin(). An error where it could not be written: grants of this start
  // cannot be told from forgotten ones after the next.
  Result<void> started(const std::string& boot_id);
  // nullopt: the intent is durable, go ahead. Otherwise what became of this grant; do not act. After an error neither
  // may the action be begun; the grant counts as refused.
  Result<std::optional<v1::Outcome>> begin(const v1::Outcome& intent);
  // What was recorded for this grant; nullopt where it was never begun, or was left out since.
  std::optional<v1::Outcome> find(const std::string& grant_id);
  // Whether a grant of this start that is not found was never begun.
  bool tells_all_of(const std::string& boot_id);
  // Must follow a begin() that let the act go ahead. An outcome that could not be written is written with the next
  // record; until then a restart would not know it, and call it unknown.
  Result<void> finish(const v1::Outcome& outcome);
  Content content();

 private:
  struct Records {
    std::map<std::string, v1::Outcome> outcomes;  // By grant id, as they are in the file.
    std::map<std::string, v1::Outcome> starts;    // By boot id.
  };
  Ledger(std::unique_ptr<LedgerFile> file, const Clock& clock, Retention retention)
      : file_(std::move(file)), clock_(clock), retention_(retention) {}
  static Records read_records(std::string_view content);
  std::string still_needed(Records& records) const;
  v1::Outcome stamped(v1::Outcome record) const;
  Result<void> append(const v1::Outcome& record);
  void replace_if_grown();

  std::mutex mutex_;
  const std::unique_ptr<LedgerFile> file_;
  const Clock& clock_;
  const Retention retention_;
  std::string boot_id_;
  Records records_;
  std::string unwritten_;  // What the disk did not take; goes before the next record.
  std::size_t bytes_ = 0;  // Of the file, as far as this process wrote it.
  std::size_t replace_at_bytes_ = 0;
};

}  // namespace da::actuator
