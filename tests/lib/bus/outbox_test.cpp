#include "lib/bus/outbox.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>

namespace da::bus {
namespace {

Outbox::Fact fact(const std::string& text, Lane lane = Lane::kFacts) {
  return {lane, "policy.verdict", std::make_shared<const std::string>(text)};
}

TEST(Outbox, SendsInOrderAndAllBeforeItEnds) {
  std::vector<std::string> sent;
  {
    Outbox outbox({.facts = 10'000, .images = 4}, [&](const Outbox::Fact& fact) { sent.push_back(*fact.payload); });
    for (int i = 0; i < 5'000; ++i) outbox.add(fact(std::to_string(i)));
  }
  ASSERT_EQ(sent.size(), 5'000u);
  for (int i = 0; i < 5'000; ++i) ASSERT_EQ(sent[i], std::to_string(i));
}

TEST(Outbox, SendsWithoutFurtherFacts) {
  std::promise<std::string> sent;
  Outbox outbox({.facts = 10, .images = 4}, [&](const Outbox::Fact& fact) { sent.set_value(*fact.payload); });
  outbox.add(fact("alone"));
  auto text = sent.get_future();
  ASSERT_EQ(text.wait_for(std::chrono::seconds(10)), std::future_status::ready);
  EXPECT_EQ(text.get(), "alone");
}

TEST(Outbox, FlushWaitsForWhatWasAddedBefore) {
  std::atomic<int> sent = 0;
  Outbox outbox({.facts = 1'000, .images = 4}, [&](const Outbox::Fact&) { ++sent; });
  for (int round = 1; round <= 200; ++round) {
    outbox.add(fact("first"));
    outbox.add(fact("second"));
    outbox.flush(std::chrono::seconds(10));
    ASSERT_EQ(sent, 2 * round);
  }
}

TEST(Outbox, FlushEndsAtItsTimeoutWhileItsReceiverIsStuck) {
  std::promise<void> released;
  Outbox outbox({.facts = 10, .images = 4}, [&](const Outbox::Fact&) { released.get_future().wait(); });
  outbox.flush(std::chrono::seconds(10));  // There is nothing to send.
  outbox.add(fact("stuck"));
  outbox.flush(std::chrono::milliseconds(5));
  released.set_value();
}

TEST(Outbox, KeepsTheFirstOnesWhileItsReceiverIsStuckAndDropsLaterOnes) {
  std::promise<void> stuck;
  std::promise<void> released;
  std::vector<std::string> sent;
  {
    Outbox outbox({.facts = 3, .images = 1}, [&, first = true](const Outbox::Fact& fact) mutable {
      if (std::exchange(first, false)) {
        stuck.set_value();
        released.get_future().wait();
      }
      sent.push_back(*fact.payload);
    });
    outbox.add(fact("first"));
    stuck.get_future().wait();
    for (const auto* text : {"a", "b", "c", "d"}) outbox.add(fact(text));
    for (const auto* text : {"image", "second image"}) outbox.add(fact(text, Lane::kImages));
    released.set_value();
  }
  EXPECT_EQ(sent, (std::vector<std::string>{"first", "a", "b", "c", "image"}));
}

}  // namespace
}  // namespace da::bus
