// Records on disk which actions this desktop was asked for: the intent before the act, the outcome after it. A repeated
// grant gets its recorded outcome. An intent without an outcome (the actuator died in between) is an action in doubt:
// its outcome is unknown, and it is never repeated. Any thread.
//
// The actuator's memory, not the ledger, ensures at-most-once execution: each challenge is used once, and is valid for
// one start of the actuator (docs/design/0013). The ledger makes the answers true.
//
// File: records of `u32 length, u32 check, body`, little endian. The check is the first 4 bytes of BLAKE2b-128 of the
// body. The body is a serialised Outcome; an intent has KIND_UNSPECIFIED, the start of an actuator has no grant id.
// Header.instance is the actuator's boot id, Header.wall_ns the time of writing. The reader skips a torn record (after
// a crash or on a full disk) and looks for the next one behind it.
//
// A file that has grown is replaced by the records that are still needed: actions in doubt for ever, outcomes for
// Retention::outcomes_for, five times the longest validity of a grant (grant_check.cpp). When a record of a start is
// dropped, the start is dropped too, and tells_all_of() returns false for it.
#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "da/v1/outcome.pb.h"
#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "services/actuator/grant/ledger_file.h"

namespace da::actuator {

class Ledger {
 public:
  struct Retention {
    std::size_t replace_from_bytes = 1 << 20;  // The file must also have doubled since the last replacement.
    Milliseconds outcomes_for{300'000};
  };
  struct Content {
    std::size_t outcomes = 0;
    std::size_t in_doubt = 0;  // From earlier starts, or from an actuator that runs at the same time.
  };

  static Result<std::unique_ptr<Ledger>> open(const std::filesystem::path& file);
  static Result<std::unique_ptr<Ledger>> open(std::unique_ptr<LedgerFile> file, const Clock& clock,
                                              Retention retention);

  // Records the start of an actuator, before its first begin(). If this fails, a later start cannot tell unused grants
  // of this start from forgotten ones.
  Result<void> started(const std::string& boot_id);
  // nullopt: the intent is durable, and the caller may act. Otherwise the grant's recorded outcome: the caller must not
  // act. After an error it must not act either, and the grant counts as refused.
  Result<std::optional<v1::Outcome>> begin(const v1::Outcome& intent);
  // The recorded outcome of this grant; nullopt if it was never begun or has been dropped.
  std::optional<v1::Outcome> find(const std::string& grant_id);
  // True if all grants of this start are still recorded, so that a grant that is not found was never begun.
  bool tells_all_of(const std::string& boot_id);
  // Must follow each begin() that returned nullopt. An outcome that could not be written is written with the next
  // record; after a restart before that, it is reported as unknown.
  Result<void> finish(const v1::Outcome& outcome);
  Content content();

 private:
  struct Records {
    std::map<std::string, v1::Outcome> outcomes;  // Keyed by grant id; the records are as in the file.
    std::map<std::string, v1::Outcome> starts;    // Keyed by boot id.
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
  std::string unwritten_;  // Records that could not be written; written before the next one.
  std::size_t bytes_ = 0;  // Size of the file, without what other processes appended.
  std::size_t replace_at_bytes_ = 0;
};

}  // namespace da::actuator
