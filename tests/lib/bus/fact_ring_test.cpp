#include "lib/bus/fact_ring.h"

#include <gtest/gtest.h>

namespace da::bus {
namespace {

Payload payload(const std::string& text) { return std::make_shared<const std::string>(text); }

std::vector<std::string> texts(const std::vector<Payload>& payloads) {
  std::vector<std::string> texts;
  for (const auto& one : payloads) texts.push_back(*one);
  return texts;
}

TEST(FactRing, ReturnsTheRangeOfATopic) {
  FactRing ring("abc");
  for (int i = 1; i <= 5; ++i) {
    ring.add(Lane::kFacts, "policy.verdict", payload("verdict " + std::to_string(i)));
    ring.add(Lane::kFacts, "policy.lock", payload("lock " + std::to_string(i)));
  }
  EXPECT_EQ(texts(ring.range("policy.verdict", 2, 3)), (std::vector<std::string>{"verdict 2", "verdict 3"}));
  EXPECT_EQ(texts(ring.range("policy.verdict", 5, 900)), (std::vector<std::string>{"verdict 5"}));
  EXPECT_TRUE(ring.range("policy.verdict", 6, 900).empty());
  EXPECT_TRUE(ring.range("policy.verdict", 3, 2).empty());
  EXPECT_TRUE(ring.range("policy.halt", 1, 1).empty());
  EXPECT_EQ(ring.last(), (std::map<std::string, std::uint64_t>{{"policy.lock", 5}, {"policy.verdict", 5}}));
}

TEST(FactRing, DropsTheOldestBeyondItsLimitAndKeepsTheSequence) {
  FactRing ring("abc", {.facts_bytes = 1000, .images_bytes = 10'000});
  ring.add(Lane::kImages, "observer.image", payload(std::string(5000, 'i')));
  for (int i = 1; i <= 100; ++i) ring.add(Lane::kFacts, "policy.verdict", payload(std::to_string(i)));
  const auto kept = texts(ring.range("policy.verdict", 1, 100));
  EXPECT_GE(kept.size(), 5u);
  EXPECT_LE(kept.size(), 10u);
  EXPECT_EQ(kept.back(), "100");
  EXPECT_EQ(kept.front(), std::to_string(101 - kept.size()));
  EXPECT_EQ(ring.range("observer.image", 1, 1).size(), 1u) << "facts take no room of images";
  EXPECT_GE(ring.bytes(), 5000u);
  EXPECT_LE(ring.bytes(), 6200u);
}

TEST(FactRing, AFactLargerThanTheLimitIsNotKept) {
  FactRing ring("abc", {.facts_bytes = 1000, .images_bytes = 1000});
  ring.add(Lane::kImages, "observer.image", payload(std::string(5000, 'i')));
  EXPECT_TRUE(ring.range("observer.image", 1, 1).empty());
  EXPECT_EQ(ring.last().at("observer.image"), 1u);
}

}  // namespace
}  // namespace da::bus
