#include "services/policy/audit/record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sodium.h>

#include <nlohmann/json.hpp>

#include "lib/base/id.h"

namespace da::policy {
namespace {

using testing::EndsWith;
using testing::StartsWith;

AuditRecord record_of(const std::string& text) {
  AuditRecord record("note", WallTime(Nanoseconds(1'700'000'000'123'456'789)));
  record.text("text", text);
  return record;
}

std::string line_of(ChainEnd& end, const AuditRecord& record) {
  std::string line;
  append_record(line, end, "boot-1", record);
  EXPECT_THAT(line, EndsWith("\n"));
  line.pop_back();
  return line;
}

TEST(AuditRecord, IsOneLineOfJsonInAFixedOrder) {
  ChainEnd end;
  const std::string line = line_of(end, record_of("hi"));
  EXPECT_THAT(line, StartsWith("{\"seq\":1,\"prev\":\"" + std::string(64, '0') +
                               "\",\"boot\":\"boot-1\",\"time\":\"2023-11-14T22:13:20.123Z\",\"kind\":\"note\","
                               "\"text\":\"hi\",\"hash\":\""));
  EXPECT_TRUE(nlohmann::json::accept(line));
}

// Computed with libsodium alone, as another party would: 32 bytes over everything before `,"hash":"`.
TEST(AuditRecord, HashCoversEverythingBeforeIt) {
  ChainEnd end;
  const std::string line = line_of(end, record_of("hi"));
  const std::string covered = line.substr(0, line.find(",\"hash\":\""));
  std::string hash(32, '\0');
  crypto_generichash(reinterpret_cast<unsigned char*>(hash.data()), hash.size(),
                     reinterpret_cast<const unsigned char*>(covered.data()), covered.size(), nullptr, 0);
  EXPECT_EQ(nlohmann::json::parse(line)["hash"], to_hex(hash));
  EXPECT_EQ(end.hash, to_hex(hash));
}

TEST(AuditRecord, EachRecordNamesTheHashOfThePreviousOne) {
  ChainEnd end;
  const auto first = nlohmann::json::parse(line_of(end, record_of("a")));
  const auto second = nlohmann::json::parse(line_of(end, record_of("b")));
  EXPECT_EQ(second["prev"], first["hash"]);
  EXPECT_EQ(second["seq"], 2);
}

TEST(AuditRecord, ForeignTextStaysOneEscapedJsonString) {
  const std::string hostile = "a\"b\\c\nd\x1b[31m\xe2\x80\xae\xff,\"hash\":\"";
  ChainEnd end;
  const std::string line = line_of(end, record_of(hostile));
  const auto parsed = nlohmann::json::parse(line, nullptr, false);
  ASSERT_TRUE(parsed.is_object());
  EXPECT_EQ(parsed["text"], "a\"b\\c\\nd\\x1b[31m\\u{202e}\\xff,\"hash\":\"");
  const auto link = read_link(line);
  ASSERT_TRUE(link);
  EXPECT_TRUE(hash_valid(line, *link));
}

TEST(AuditRecord, LongTextIsCut) {
  AuditRecord record("note", {});
  for (int i = 0; i < 5; ++i) record.text("text", std::string(100'000, '\x01'), 1'000);
  ChainEnd end;
  EXPECT_LT(line_of(end, record).size(), kMaxRecordBytes);
}

TEST(AuditRecord, EmptyMembersAreLeftOut) {
  AuditRecord record("note", {});
  record.text("a", "").number("b", 0).flag("c", false);
  EXPECT_THAT(record.members(), EndsWith("\"kind\":\"note\",\"c\":false"));
}

TEST(AuditRecord, LinkIsReadOnlyFromCompleteRecords) {
  ChainEnd end;
  const std::string line = line_of(end, record_of("hi"));
  ASSERT_TRUE(read_link(line));
  for (std::size_t size = 0; size < line.size(); ++size) EXPECT_FALSE(read_link(line.substr(0, size))) << size;
  EXPECT_FALSE(read_link(line + "}"));
  EXPECT_FALSE(read_link(" " + line));
  EXPECT_FALSE(read_link(std::string(line).replace(7, 1, "01")));
  EXPECT_FALSE(read_link(std::string(line).replace(7, 1, "0")));
  EXPECT_FALSE(read_link(std::string(line).replace(7, 1, "-1")));
  EXPECT_FALSE(read_link(std::string(line).replace(7, 1, "99999999999999999999")));
  EXPECT_FALSE(read_link(std::string(line).replace(line.size() - 10, 1, "G")));
}

TEST(AuditRecord, EveryChangedByteInvalidatesTheHash) {
  ChainEnd end;
  const std::string line = line_of(end, record_of("hi"));
  for (std::size_t at = 0; at < line.size(); ++at) {
    std::string changed = line;
    changed[at] = changed[at] == '1' ? '2' : '1';
    const auto link = read_link(changed);
    EXPECT_FALSE(link && hash_valid(changed, *link)) << at;
  }
}

}  // namespace
}  // namespace da::policy
