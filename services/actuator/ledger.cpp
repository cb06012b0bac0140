#include "services/actuator/ledger.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>

#include "lib/base/id.h"

namespace da::actuator {
namespace {

constexpr std::size_t kFrameBytes = 8;
constexpr std::uint32_t kLargestRecord = 1 << 20;

std::string frame(const std::string& body) {
  std::string record(kFrameBytes, '\0');
  const auto length = static_cast<std::uint32_t>(body.size());
  std::memcpy(record.data(), &length, 4);
  std::memcpy(record.data() + 4, blake2b(body, 16).data(), 4);
  return record += body;
}

// The body at the start of `bytes`; nullopt where it is torn or broken.
std::optional<std::string> unframe(std::string_view bytes) {
  if (bytes.size() < kFrameBytes) return std::nullopt;
  std::uint32_t length = 0;
  std::memcpy(&length, bytes.data(), 4);
  if (length > kLargestRecord || bytes.size() < kFrameBytes + length) return std::nullopt;
  std::string body(bytes.substr(kFrameBytes, length));
  if (std::memcmp(blake2b(body, 16).data(), bytes.data() + 4, 4) != 0) return std::nullopt;
  return body;
}

}  // namespace

Result<std::unique_ptr<Ledger>> Ledger::open(const std::filesystem::path& file) {
  os::UniqueFd fd(::open(file.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  if (!fd) return posix_error("open the ledger " + file.string(), errno);
  // Whoever is alone may mend the end of the file; a record that another process is writing is not a torn one.
  const bool alone = ::flock(fd.get(), LOCK_EX | LOCK_NB) == 0;
  std::unique_ptr<Ledger> ledger(new Ledger(std::move(fd)));
  RETURN_IF_ERROR(ledger->load(alone ? TornEnd::kCutOff : TornEnd::kLeave));
  if (::flock(ledger->fd_.get(), LOCK_SH) != 0) return posix_error("lock the ledger " + file.string(), errno);
  return ledger;
}

Result<void> Ledger::load(TornEnd torn_end) {
  struct stat info {};
  if (::fstat(fd_.get(), &info) != 0) return posix_error("read the ledger", errno);
  std::string content(static_cast<std::size_t>(info.st_size), '\0');
  std::size_t have = 0;
  while (have < content.size()) {
    const ssize_t got = ::pread(fd_.get(), content.data() + have, content.size() - have, static_cast<off_t>(have));
    if (got <= 0) return posix_error("read the ledger", errno);
    have += static_cast<std::size_t>(got);
  }
  std::size_t whole = 0;  // The end of the last record.
  for (std::size_t at = 0; at < content.size();) {
    const auto body = unframe(std::string_view(content).substr(at));
    v1::Outcome record;
    if (!body || !record.ParseFromString(*body)) {
      ++at;
      continue;
    }
    remember(record);
    whole = at += kFrameBytes + body->size();
  }
  if (torn_end == TornEnd::kCutOff && whole < content.size() &&
      ::ftruncate(fd_.get(), static_cast<off_t>(whole)) != 0) {
    return posix_error("cut the ledger's torn end", errno);
  }
  return ok();
}

Result<std::optional<v1::Outcome>> Ledger::begin(const v1::Outcome& intent) {
  const std::lock_guard lock(mutex_);
  if (const auto known = outcomes_.find(intent.grant_id()); known != outcomes_.end()) {
    return std::optional<v1::Outcome>(known->second);
  }
  RETURN_IF_ERROR(append(intent));
  remember(intent);
  return std::optional<v1::Outcome>();
}

std::optional<v1::Outcome> Ledger::find(const std::string& grant_id) {
  const std::lock_guard lock(mutex_);
  const auto known = outcomes_.find(grant_id);
  if (known == outcomes_.end()) return std::nullopt;
  return known->second;
}

Result<void> Ledger::finish(const v1::Outcome& outcome) {
  const std::lock_guard lock(mutex_);
  remember(outcome);
  return append(outcome);
}

Result<void> Ledger::append(const v1::Outcome& record) {
  const std::string bytes = frame(record.SerializeAsString());
  const ssize_t written = ::write(fd_.get(), bytes.data(), bytes.size());
  if (written != static_cast<ssize_t>(bytes.size())) return posix_error("write the ledger", errno);
  if (::fdatasync(fd_.get()) != 0) return posix_error("sync the ledger", errno);
  return ok();
}

void Ledger::remember(const v1::Outcome& record) {
  v1::Outcome& known = outcomes_[record.grant_id()] = record;
  if (known.kind() == v1::Outcome::KIND_UNSPECIFIED) {
    known.set_kind(v1::Outcome::KIND_UNKNOWN);
    known.set_message("the actuator stopped after it began; whether it happened is not known");
  }
}

}  // namespace da::actuator
