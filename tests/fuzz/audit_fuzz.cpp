// A hostile audit log. If byte 0 is even, the rest is the file with its heads: reading it must end, and the output must
// have no terminal control characters. If it is odd, the rest is a list of changes to a good log with a signed end:
// either every record is unchanged, or the tampering is found.
#include <sodium.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "lib/base/id.h"
#include "lib/base/text.h"
#include "lib/os/unique_fd.h"
#include "services/policy/audit/lines.h"
#include "services/policy/audit/verify.h"
#include "services/policy/grant/grants.h"
#include "services/policy/rule_tools/audit_view.h"
#include "tests/fuzz/require.h"

namespace {

using da::fuzz::require;
using namespace da::policy;

constexpr int kRecords = 6;

struct GoodLog {
  std::vector<std::string> records;
  std::string head;
};

GoodLog make_good_log() {
  std::string seed(crypto_sign_SEEDBYTES, 's');
  std::string public_key(crypto_sign_PUBLICKEYBYTES, '\0');
  std::string secret_key(crypto_sign_SECRETKEYBYTES, '\0');
  require(sodium_init() >= 0, "libsodium starts");
  crypto_sign_seed_keypair(reinterpret_cast<unsigned char*>(public_key.data()),
                           reinterpret_cast<unsigned char*>(secret_key.data()),
                           reinterpret_cast<const unsigned char*>(seed.data()));
  const auto signer = GrantSigner::from_hex(da::to_hex(secret_key), "key");
  GoodLog log;
  ChainEnd end;
  std::string first;
  for (int i = 0; i < kRecords; ++i) {
    AuditRecord record("note", {});
    record.text("text", std::to_string(i));
    std::string line;
    append_record(line, end, "boot", record);
    line.pop_back();
    if (i == 0) first = end.hash;
    log.records.push_back(line);
  }
  log.head = signed_head_line({first, end.seq, end.hash, "2026-11-21T09:30:00.000Z", "boot", ""}, *signer);
  return log;
}

// Three bytes are one change: kind, position, value.
std::vector<std::string> tampered(std::vector<std::string> records, const std::uint8_t* data, std::size_t size) {
  for (; size >= 3 && !records.empty(); data += 3, size -= 3) {
    const std::size_t at = data[1] % records.size();
    const auto place = records.begin() + static_cast<std::ptrdiff_t>(at);
    std::string& line = records[at];
    switch (data[0] % 7) {
      case 0: records.erase(place); break;
      case 1: records.push_back(line); break;
      case 2: std::swap(line, records[data[2] % records.size()]); break;
      case 3: line[data[2] % line.size()] ^= static_cast<char>(1 + data[2] % 15); break;
      case 4: records.resize(at + 1); break;
      case 5: records.insert(place, std::string(1, static_cast<char>(data[2])) + line); break;
      default: {  // Replaces a record by another one with a correct hash.
        const auto link = read_link(line);
        if (!link) break;
        ChainEnd before{link->seq - 1, std::string(link->prev)};
        AuditRecord forged("note", {});
        forged.text("text", std::to_string(data[2]));
        std::string written;
        append_record(written, before, "boot", forged);
        written.pop_back();
        line = written;
      }
    }
    if (records.size() > 50 || (!records.empty() && records[at % records.size()].empty())) break;
  }
  return records;
}

void verify_tampered(const std::uint8_t* data, std::size_t size) {
  static const GoodLog good = make_good_log();
  const auto records = tampered(good.records, data, size);
  AuditVerifier verifier;
  for (const auto& line : records) verifier.add_line(line);
  verifier.add_head(good.head);
  const auto report = verifier.finish({});
  require(report.intact() == (records == good.records), "exactly the tampering is found");
}

void require_harmless(const std::string& text) {
  require(da::escape_foreign_lines(text, text.size()) == text, "the output has no terminal control characters");
}

void read_hostile(const std::string& content) {
  const da::os::UniqueFd file(::memfd_create("audit", MFD_CLOEXEC));
  require(::pwrite(file.get(), content.data(), content.size(), 0) == static_cast<ssize_t>(content.size()), "written");
  auto lines = LineReader::open("/proc/self/fd/" + std::to_string(file.get()));
  require(lines.has_value(), "a file can be read");
  AuditVerifier verifier;
  std::size_t bytes = 0;
  while (const auto line = lines->next()) {
    bytes += line->text.size() + (line->ended ? 1 : 0);
    verifier.add_line(line->text, line->ended);
    for (const auto as : {ViewAs::kText, ViewAs::kJson, ViewAs::kCsv}) {
      if (const auto text = view(line->text, {}, as)) require_harmless(*text);
    }
  }
  require(bytes == content.size(), "every byte was read");
  const auto report = verifier.finish({});
  require_harmless(to_text(report));
  require(to_json(report).is_object(), "a report");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  if (data[0] % 2 == 1) {
    verify_tampered(data + 1, size - 1);
  } else {
    read_hostile(std::string(reinterpret_cast<const char*>(data) + 1, size - 1));
  }
  return 0;
}
