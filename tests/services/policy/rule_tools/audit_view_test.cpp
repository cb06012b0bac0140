#include "services/policy/rule_tools/audit_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace da::policy {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string line(const std::string& kind, const std::string& text, WallTime time = {}) {
  AuditRecord record(kind, time);
  record.text("task", "0123456789abcdef").text("action", text);
  ChainEnd end;
  std::string line;
  append_record(line, end, "boot", record);
  line.pop_back();
  return line;
}

TEST(AuditView, RecordIsOneLineWithoutMachineMembers) {
  EXPECT_EQ(view(line("verdict", "write \"hi\""), {}, ViewAs::kText),
            "1970-01-01T00:00:00.000Z  1  verdict  task=01234567  action=write \"hi\"");
}

TEST(AuditView, FiltersByTaskKindAndTime) {
  const auto now = WallTime(std::chrono::seconds(1'700'000'000));
  const std::string record = line("verdict", "x", now);
  EXPECT_TRUE(view(record, {.task = "0123"}, ViewAs::kText));
  EXPECT_FALSE(view(record, {.task = "9"}, ViewAs::kText));
  EXPECT_TRUE(view(record, {.kinds = {"grant", "verdict"}}, ViewAs::kText));
  EXPECT_FALSE(view(record, {.kinds = {"grant"}}, ViewAs::kText));
  EXPECT_TRUE(view(record, {.since = *since_time("10s", now + std::chrono::seconds(10))}, ViewAs::kText));
  EXPECT_FALSE(view(record, {.since = *since_time("10s", now + std::chrono::seconds(11))}, ViewAs::kText));
  EXPECT_TRUE(view(record, {.since = *since_time("2023-11-14", now)}, ViewAs::kText));
  EXPECT_FALSE(view(record, {.since = *since_time("2023-11-15T10:00", now)}, ViewAs::kText));
}

TEST(AuditView, InvalidTimeIsAnError) {
  for (const std::string given : {"", "10", "10x", "yesterday", "-5m", "99999999d", "2023", "2023-11-15;"}) {
    EXPECT_FALSE(since_time(given, {})) << given;
  }
}

TEST(AuditView, AHostileFileIsShownEscaped) {
  const std::string hostile =
      "{\"time\":\"\x1b[2J\",\"seq\":{\"a\":[]},\"kind\":7,\"task\":\"\xe2\x80\xae\",\"x\":null}";
  const auto text = view(hostile, {}, ViewAs::kText);
  EXPECT_THAT(*text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(*text, Not(HasSubstr("\xe2\x80\xae")));
  EXPECT_THAT(*view("\x1b[2J no record", {}, ViewAs::kText), HasSubstr("(not a record) \\x1b[2J"));
  EXPECT_FALSE(view("no record", {}, ViewAs::kJson));
  EXPECT_THAT(*view("{\"seq\":\"\xe2\x80\xae\"}", {}, ViewAs::kText), Not(HasSubstr("\xe2\x80\xae")));
  for (const auto as : {ViewAs::kJson, ViewAs::kCsv}) {
    EXPECT_THAT(*view("{\"kind\":\"\xe2\x80\xae\"}", {}, as), Not(HasSubstr("\xe2\x80\xae")));
  }
}

TEST(AuditView, NoCellOfATableIsAFormula) {
  const auto row = *view(line("verdict", "=HYPERLINK(\"x\")"), {}, ViewAs::kCsv);
  EXPECT_THAT(row, HasSubstr("\"'=HYPERLINK(\"\"x\"\")\""));
  EXPECT_EQ(std::ranges::count(row, ','), std::ranges::count(csv_header(), ','));
}

TEST(AuditView, ReportNamesFaultsAndTheirPlaces) {
  AuditVerifier verifier;
  verifier.add_line("no record");
  const auto report = verifier.finish({});
  EXPECT_THAT(to_text(report), HasSubstr("changed: line 1: the line is not a record\n"));
  EXPECT_THAT(to_text(report), testing::StartsWith("NOT INTACT"));
  EXPECT_EQ(to_json(report)["intact"], false);
  EXPECT_EQ(to_json(report)["faults"][0]["fault"], "changed");
}

}  // namespace
}  // namespace da::policy
