#include "services/planner/model/model_caller.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace da::planner::model {
namespace {

// Takes the whole timeout or a set time, and then fails.
class SlowModel final : public Model {
 public:
  explicit SlowModel(ManualClock& clock) : clock_(clock) {}
  const std::string& provider() const override { return name_; }
  const std::string& name() const override { return name_; }
  tl::expected<Reply, Failure> answer(const Request&, Milliseconds timeout, std::stop_token) override {
    timeouts.push_back(timeout);
    clock_.advance(std::min(timeout, takes));
    return tl::unexpected(failure);
  }

  std::vector<Milliseconds> timeouts;
  Milliseconds takes = Milliseconds::max();
  Failure failure{{Code::kDeadlineExceeded, "no answer in time"}, std::nullopt};

 private:
  ManualClock& clock_;
  const std::string name_ = "slow";
};

class ModelCallerTest : public testing::Test {
 protected:
  Result<Reply> ask_within(Milliseconds time) {
    CallRules rules;
    rules.timeout = Milliseconds(2000);
    rules.until = clock_.now() + time;
    Budget budget({});
    ModelCaller caller(model_, rules, budget, prices_, clock_, cancel_, [](v1::ModelCall&&) {});
    return caller.ask({});
  }

  ManualClock clock_;
  SlowModel model_{clock_};
  const PriceTable prices_;
  TaskCancel cancel_;
};

// Bug: a stalled server delayed a task for two minutes after its time limit.
TEST_F(ModelCallerTest, CallEndsAtTheTimeLimitOfItsTask) {
  const MonoTime until = clock_.now() + Milliseconds(700);
  EXPECT_FALSE(ask_within(Milliseconds(700)));
  EXPECT_EQ(model_.timeouts, std::vector<Milliseconds>{Milliseconds(701)});
  EXPECT_GE(clock_.now(), until);
}

TEST_F(ModelCallerTest, DoesNotWaitForARetryAfterTheTimeLimit) {
  model_.takes = Milliseconds(10);
  model_.failure = {{Code::kResourceExhausted, "too many requests"}, Milliseconds(5000)};
  const auto reply = ask_within(Milliseconds(3000));
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().message, "slow (slow): too many requests");
  EXPECT_EQ(model_.timeouts, std::vector<Milliseconds>{Milliseconds(2000)});
}

TEST_F(ModelCallerTest, AsksNothingAfterTheTimeLimit) {
  EXPECT_FALSE(ask_within(Milliseconds(0)));
  EXPECT_TRUE(model_.timeouts.empty());
}

TEST_F(ModelCallerTest, WaitEndsWithTheTimeBudget) {
  CallRules rules;
  rules.timeout = Milliseconds(60'000);
  Budget budget({.time = std::chrono::seconds(3)});
  ModelCaller caller(model_, rules, budget, prices_, clock_, cancel_, [](v1::ModelCall&&) {});
  const auto reply = caller.ask({});
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, Code::kResourceExhausted);
  EXPECT_NE(reply.error().message.find("of 3 s"), std::string::npos) << reply.error().message;
  EXPECT_EQ(model_.timeouts, std::vector<Milliseconds>{Milliseconds(3001)});
}

TEST_F(ModelCallerTest, MoneyLimitNeedsAPrice) {
  Budget budget({.money = 1});
  ModelCaller caller(model_, {}, budget, prices_, clock_, cancel_, [](v1::ModelCall&&) {});
  const auto reply = caller.ask({});
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, Code::kFailedPrecondition);
  EXPECT_NE(reply.error().message.find("needs a price"), std::string::npos);
  EXPECT_TRUE(model_.timeouts.empty()) << "nothing was asked";
}

}  // namespace
}  // namespace da::planner::model
