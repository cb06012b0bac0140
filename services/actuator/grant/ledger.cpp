#include "services/actuator/grant/ledger.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <cstring>

#include "lib/base/id.h"

namespace da::actuator {
namespace {

constexpr std::size_t kFrameBytes = 8;
constexpr std::uint32_t kLargestRecord = 1 << 20;
// Room for hundreds of refused actions while the disk is full.
constexpr std::size_t kMostUnwrittenBytes = 1 << 16;

std::string frame(const v1::Outcome& outcome) {
  const std::string body = outcome.SerializeAsString();
  std::string record(kFrameBytes, '\0');
  const auto length = static_cast<std::uint32_t>(body.size());
  std::memcpy(record.data(), &length, 4);
  std::memcpy(record.data() + 4, blake2b(body, 16).data(), 4);
  return record += body;
}

// The body of the record at the start of `bytes`; nullopt if it is torn or corrupt.
std::optional<std::string> unframe(std::string_view bytes) {
  if (bytes.size() < kFrameBytes) return std::nullopt;
  std::uint32_t length = 0;
  std::memcpy(&length, bytes.data(), 4);
  if (length > kLargestRecord || bytes.size() < kFrameBytes + length) return std::nullopt;
  std::string body(bytes.substr(kFrameBytes, length));
  if (std::memcmp(blake2b(body, 16).data(), bytes.data() + 4, 4) != 0) return std::nullopt;
  return body;
}

bool in_doubt(const v1::Outcome& record) { return record.kind() == v1::Outcome::KIND_UNSPECIFIED; }

// The outcome that the caller of Execute gets for this record.
v1::Outcome told(v1::Outcome record) {
  if (in_doubt(record)) {
    record.set_kind(v1::Outcome::KIND_UNKNOWN);
    record.set_message("the actuator stopped after it began; whether it happened is not known");
  }
  record.clear_header();
  return record;
}

}  // namespace

Result<std::unique_ptr<Ledger>> Ledger::open(const std::filesystem::path& path) {
  ASSIGN_OR_RETURN(auto file, open_ledger_file(path));
  return open(std::move(file), system_clock(), {});
}

Result<std::unique_ptr<Ledger>> Ledger::open(std::unique_ptr<LedgerFile> file, const Clock& clock,
                                             Retention retention) {
  std::unique_ptr<Ledger> ledger(new Ledger(std::move(file), clock, retention));
  ASSIGN_OR_RETURN(const std::string content, ledger->file_->read());
  ledger->records_ = read_records(content);
  ledger->bytes_ = content.size();
  ledger->replace_at_bytes_ = retention.replace_from_bytes;
  ledger->replace_if_grown();
  return ledger;
}

Ledger::Records Ledger::read_records(std::string_view content) {
  Records records;
  for (std::size_t at = 0; at < content.size();) {
    const auto body = unframe(content.substr(at));
    v1::Outcome record;
    if (!body || !record.ParseFromString(*body)) {
      ++at;
      continue;
    }
    at += kFrameBytes + body->size();
    if (!record.grant_id().empty()) {
      records.outcomes[record.grant_id()] = std::move(record);
    } else if (!record.header().instance().empty()) {
      records.starts[record.header().instance()] = std::move(record);
    }
  }
  return records;
}

// Drops the records that are no longer needed and returns the file content of the others.
std::string Ledger::still_needed(Records& records) const {
  const auto now = clock_.wall_now().time_since_epoch().count();
  const auto is_old = [&](const v1::Outcome& record) {
    return now - record.header().wall_ns() > Nanoseconds(retention_.outcomes_for).count();
  };
  std::string content;
  for (auto at = records.outcomes.begin(); at != records.outcomes.end();) {
    if (!in_doubt(at->second) && is_old(at->second)) {
      records.starts.erase(at->second.header().instance());
      at = records.outcomes.erase(at);
    } else {
      content += frame((at++)->second);
    }
  }
  std::erase_if(records.starts, [&](const auto& start) { return start.first != boot_id_ && is_old(start.second); });
  for (const auto& [boot_id, start] : records.starts) content += frame(start);
  return content;
}

v1::Outcome Ledger::stamped(v1::Outcome record) const {
  record.mutable_header()->set_instance(boot_id_);
  record.mutable_header()->set_wall_ns(clock_.wall_now().time_since_epoch().count());
  return record;
}

Result<void> Ledger::started(const std::string& boot_id) {
  const std::lock_guard lock(mutex_);
  boot_id_ = boot_id;
  v1::Outcome start = stamped({});
  auto written = append(start);
  if (!written) unwritten_ += frame(start);
  records_.starts[boot_id] = std::move(start);
  return written;
}

Result<std::optional<v1::Outcome>> Ledger::begin(const v1::Outcome& intent) {
  const std::lock_guard lock(mutex_);
  if (const auto known = records_.outcomes.find(intent.grant_id()); known != records_.outcomes.end()) {
    return std::optional<v1::Outcome>(told(known->second));
  }
  v1::Outcome record = stamped(intent);
  record.set_kind(v1::Outcome::KIND_UNSPECIFIED);
  const auto written = append(record);
  if (!written) {
    // The intent may be in the file nevertheless. The record that follows it says that nothing was done.
    record.set_kind(v1::Outcome::KIND_REFUSED);
    record.set_code(v1::Outcome::CODE_DESKTOP_ERROR);
    record.set_message(written.error().message);
    if (unwritten_.size() < kMostUnwrittenBytes) unwritten_ += frame(record);
  }
  records_.outcomes[intent.grant_id()] = std::move(record);
  if (!written) return written.error();
  return std::optional<v1::Outcome>();
}

std::optional<v1::Outcome> Ledger::find(const std::string& grant_id) {
  const std::lock_guard lock(mutex_);
  const auto known = records_.outcomes.find(grant_id);
  if (known == records_.outcomes.end()) return std::nullopt;
  return told(known->second);
}

bool Ledger::tells_all_of(const std::string& boot_id) {
  const std::lock_guard lock(mutex_);
  return records_.starts.contains(boot_id);
}

Result<void> Ledger::finish(const v1::Outcome& outcome) {
  const std::lock_guard lock(mutex_);
  v1::Outcome record = stamped(outcome);
  const auto written = append(record);
  if (!written) unwritten_ += frame(record);
  records_.outcomes[outcome.grant_id()] = std::move(record);
  if (written) replace_if_grown();
  return written;
}

Ledger::Content Ledger::content() {
  const std::lock_guard lock(mutex_);
  const auto doubts =
      std::ranges::count_if(records_.outcomes, [](const auto& entry) { return in_doubt(entry.second); });
  return {records_.outcomes.size(), static_cast<std::size_t>(doubts)};
}

Result<void> Ledger::append(const v1::Outcome& record) {
  const std::string bytes = unwritten_ + frame(record);
  RETURN_IF_ERROR(file_->append(bytes));
  unwritten_.clear();
  bytes_ += bytes.size();
  return ok();
}

// Starts from the content of the file, because other processes may have written to it.
void Ledger::replace_if_grown() {
  if (bytes_ < replace_at_bytes_) return;
  Records kept;
  std::size_t kept_bytes = 0;
  const auto replaced = file_->replace([&](std::string_view content) {
    kept = read_records(content);
    std::string needed = still_needed(kept);
    kept_bytes = needed.size();
    return needed;
  });
  if (!replaced) spdlog::warn("the ledger was not cleaned up: {}", replaced.error().message);
  if (!replaced || *replaced == LedgerFile::Others::kHaveItOpen) {
    replace_at_bytes_ = bytes_ + retention_.replace_from_bytes;
    return;
  }
  records_ = std::move(kept);
  bytes_ = kept_bytes;
  replace_at_bytes_ = std::max(retention_.replace_from_bytes, 2 * kept_bytes);
}

}  // namespace da::actuator
