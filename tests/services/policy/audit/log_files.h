// An audit log in a temporary directory, and access to its files.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "lib/os/files/files.h"
#include "services/policy/audit/log.h"
#include "services/policy/audit/verify.h"
#include "tests/services/policy/test_key.h"
#include "tests/temp_dir.h"

namespace da::policy::test {

inline AuditRecord note(const std::string& text, WallTime time = {}) {
  AuditRecord record("note", time);
  record.text("text", text);
  return record;
}

inline std::vector<std::string> split_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

struct LogFiles {
  da::test::TempDir dir;
  TestKey key;
  ManualClock clock;
  const std::filesystem::path file = dir.path() / kAuditFile;
  const std::filesystem::path heads = dir.path() / kAuditHeadsFile;

  GrantSigner signer() const { return *GrantSigner::from_hex(key.secret_hex, "key"); }
  std::unique_ptr<AuditLog> open() {
    auto log = AuditLog::open({file, heads}, signer(), AuditRecord("started", clock.wall_now()), clock);
    EXPECT_TRUE(log) << log.error().message;
    return *std::move(log);
  }
  std::string content() const { return *os::read_file(file); }
  std::vector<std::string> lines() const { return split_lines(content()); }
  std::vector<std::string> head_lines() const { return split_lines(*os::read_file(heads)); }
  void replace(const std::string& content) const { std::ofstream(file, std::ios::binary | std::ios::trunc) << content; }

  AuditReport verify(const std::set<std::string>& keys = {}) const {
    AuditVerifier verifier;
    const std::string text = content();
    const bool ended = text.empty() || text.back() == '\n';
    const auto all = split_lines(text);
    for (std::size_t i = 0; i < all.size(); ++i) verifier.add_line(all[i], ended || i + 1 < all.size());
    if (std::filesystem::exists(heads)) {
      for (const auto& line : head_lines()) verifier.add_head(line);
    }
    return verifier.finish(keys);
  }
};

}  // namespace da::policy::test
