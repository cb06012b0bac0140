#include "lib/bus/topics.h"

#include <gtest/gtest.h>

#include <set>

#include "da/v1/header.pb.h"
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

TEST(Topics, FactIsFoundByItsTopic) {
  EXPECT_EQ(fact_of(topic_name<v1::Outcome>()), v1::Outcome::descriptor());
  EXPECT_EQ(fact_of("actuator.nothing"), nullptr);
}

}  // namespace
}  // namespace da::bus
