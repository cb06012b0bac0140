#include "lib/bus/topics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "da/v1/header.pb.h"
#include "da/v1/history.pb.h"
#include "da/v1/outcome.pb.h"

namespace da::bus {
namespace {

TEST(Topics, NoneIsAPrefixOfAnother) {
  const auto topics = all_topics(Images::kWith);
  for (const auto& a : topics) {
    for (const auto& b : topics) EXPECT_TRUE(a == b || !b.starts_with(a)) << a << " and " << b;
  }
  EXPECT_EQ(std::set<std::string>(topics.begin(), topics.end()).size(), topics.size());
}

TEST(Topics, AreNamedAfterTheirWriter) {
  for (const auto* fact : all_facts()) {
    EXPECT_TRUE(topic_of(*fact)->name().starts_with(topic_of(*fact)->writer() + ".")) << fact->full_name();
  }
}

TEST(Topics, EveryFactStartsWithAHeader) {
  for (const auto* fact : all_facts()) {
    const auto* field = fact->FindFieldByNumber(1);
    ASSERT_NE(field, nullptr) << fact->full_name();
    EXPECT_EQ(field->message_type(), v1::Header::descriptor()) << fact->full_name();
  }
}

// Recordings and foreign readers rely on these names.
TEST(Topics, AreThoseOfTheGoldenList) {
  std::ostringstream list;
  for (const auto* fact : all_facts()) {
    const v1::Topic& topic = *topic_of(*fact);
    list << topic.name() << " " << fact->full_name() << (topic.image() ? " image" : "")
         << (topic.record() ? " record" : "") << "\n";
  }
  const std::filesystem::path golden = std::filesystem::path(DA_SOURCE_DIR) / "tests/golden/topics.txt";
  std::ostringstream expected;
  expected << std::ifstream(golden).rdbuf();
  EXPECT_EQ(list.str(), expected.str()) << "the list of topics has changed: " << golden;
}

TEST(Topics, ConsolesShowNoFactsThatAreOnlyForTheRecord) {
  const auto shown = shown_topics(Images::kWith);
  EXPECT_EQ(std::ranges::count(shown, topic_name<v1::Outcome>()), 1);
  EXPECT_EQ(std::ranges::count(shown, topic_name<v1::StepJudged>()), 0);
  EXPECT_LT(shown.size(), all_topics(Images::kWith).size());
}

TEST(Topics, FactIsFoundByItsTopic) {
  EXPECT_EQ(fact_of(topic_name<v1::Outcome>()), v1::Outcome::descriptor());
  EXPECT_EQ(fact_of("actuator.nothing"), nullptr);
}

}  // namespace
}  // namespace da::bus
