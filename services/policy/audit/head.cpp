#include "services/policy/audit/head.h"

#include <fcntl.h>
#include <sodium.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <nlohmann/json.hpp>

#include "lib/base/id.h"
#include "lib/os/unique_fd.h"
#include "services/policy/grant/grants.h"

namespace da::policy {
namespace {

constexpr std::string_view kHeadStart = "{\"log\":\"";
constexpr std::string_view kSignatureMember = ",\"signature\":\"";
constexpr std::string_view kHeadEnd = "\"}";
constexpr std::size_t kSignatureHexBytes = 2 * crypto_sign_BYTES;
constexpr std::size_t kMaxHeadBytes = 2'000;

template <std::size_t size>
std::optional<std::array<unsigned char, size>> from_hex(std::string_view hex) {
  std::array<unsigned char, size> bytes{};
  std::size_t got = 0;
  const char* end = nullptr;
  const int bad = sodium_hex2bin(bytes.data(), size, hex.data(), hex.size(), nullptr, &got, &end);
  if (bad != 0 || got != size || hex.size() != 2 * size) return std::nullopt;
  return bytes;
}

bool verifies(std::string_view statement, std::string_view signature_hex, std::string_view key_hex) {
  const auto signature = from_hex<crypto_sign_BYTES>(signature_hex);
  const auto key = from_hex<crypto_sign_PUBLICKEYBYTES>(key_hex);
  if (!signature || !key) return false;
  const std::string input = audit_head_signing_input(statement);
  return crypto_sign_verify_detached(signature->data(), reinterpret_cast<const unsigned char*>(input.data()),
                                     input.size(), key->data()) == 0;
}

std::optional<AuditHead> parse_statement(std::string_view line) {
  const nlohmann::json json = nlohmann::json::parse(line, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  AuditHead head;
  for (const auto& [name, member] : {std::pair{"log", &head.log},
                                     {"hash", &head.hash},
                                     {"time", &head.time},
                                     {"boot", &head.boot},
                                     {"key", &head.key}}) {
    const auto found = json.find(name);
    if (found == json.end() || !found->is_string()) return std::nullopt;
    *member = found->get<std::string>();
  }
  const auto seq = json.find("seq");
  if (seq == json.end() || !seq->is_number_unsigned()) return std::nullopt;
  head.seq = seq->get<std::uint64_t>();
  return head;
}

// Whether the last line has no newline.
bool is_torn(int fd) {
  struct stat info {};
  char last = '\n';
  return ::fstat(fd, &info) == 0 && info.st_size > 0 && ::pread(fd, &last, 1, info.st_size - 1) == 1 && last != '\n';
}

}  // namespace

std::string signed_head_line(AuditHead head, const GrantSigner& signer) {
  head.key = signer.public_key_hex();
  std::string line = std::string(kHeadStart) + head.log + "\",\"seq\":" + std::to_string(head.seq) + ",\"hash\":\"" +
                     head.hash + "\",\"time\":\"" + head.time + "\",\"boot\":\"" + head.boot + "\",\"key\":\"" +
                     head.key + "\"";
  const std::string signature = to_hex(signer.sign_audit_head(line));
  line += kSignatureMember;
  line += signature;
  return line += kHeadEnd;
}

std::optional<ReadHead> read_head(std::string_view line) {
  const std::size_t tail = kSignatureMember.size() + kSignatureHexBytes + kHeadEnd.size();
  if (line.size() > kMaxHeadBytes || line.size() < tail || !looks_like_head(line)) return std::nullopt;
  auto head = parse_statement(line);
  if (!head) return std::nullopt;
  const std::string_view statement = line.substr(0, line.size() - tail);
  const std::string_view rest = line.substr(statement.size());
  const bool formed = rest.starts_with(kSignatureMember) && rest.ends_with(kHeadEnd);
  const bool valid = formed && verifies(statement, rest.substr(kSignatureMember.size(), kSignatureHexBytes), head->key);
  return ReadHead{*std::move(head), valid};
}

bool looks_like_head(std::string_view line) { return line.starts_with(kHeadStart); }

Result<void> append_head(const std::filesystem::path& file, std::string line) {
  const os::UniqueFd fd(::open(file.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  if (!fd) return posix_error("open " + file.string(), errno);
  ::flock(fd.get(), LOCK_EX);  // May fail on a network share; a line is one append anyway.
  if (is_torn(fd.get())) line.insert(0, "\n");
  line += '\n';
  const ssize_t written = ::write(fd.get(), line.data(), line.size());
  if (written < 0) return posix_error("write " + file.string(), errno);
  if (written != static_cast<ssize_t>(line.size())) {
    return Error{Code::kResourceExhausted, "write " + file.string() + ": only a part was written; is the disk full?"};
  }
  if (::fdatasync(fd.get()) != 0) return posix_error("sync " + file.string(), errno);
  return ok();
}

}  // namespace da::policy
