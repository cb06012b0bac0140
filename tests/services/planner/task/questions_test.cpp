#include "services/planner/task/questions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>

#include "lib/bus/memory_transport.h"
#include "lib/bus/subscriber.h"
#include "lib/bus/topics.h"

namespace da::planner {
namespace {

using testing::HasSubstr;
using Words = Result<std::optional<std::string>>;

constexpr Milliseconds kAnswerTimeout{20'000};

class QuestionsTest : public testing::Test {
 protected:
  std::future<Words> ask(const std::string& text, const std::string& task = "t1",
                         Milliseconds time_limit = Milliseconds(3'600'000)) {
    const Questions::Question question{task, "step-of-" + task, text, clock_.now() + time_limit};
    return std::async(std::launch::async, [this, question] { return questions_.ask(question, stop_.get_token()); });
  }

  template <class T>
  T next() {
    const auto fact = facts_.next(system_clock().now() + kAnswerTimeout).value();
    const T* typed = fact ? fact->as<T>() : nullptr;
    EXPECT_NE(typed, nullptr) << "another fact, or none";
    return typed == nullptr ? T() : *typed;
  }

  Result<void> answer(const std::string& id, const std::string& words, const std::string& by = "ada@console") {
    v1::AnswerQuestionRequest request;
    request.set_question_id(id);
    request.set_answer(words);
    request.set_by(by);
    return questions_.answer(request);
  }

  ManualClock clock_;
  std::stop_source stop_;
  std::shared_ptr<bus::MemoryBus> bus_ = bus::MemoryBus::create();
  bus::Publisher publisher_{bus_->sink(), {"planner", "fake:1"}, clock_};
  bus::Subscriber facts_{bus_->source({bus::topic_name<v1::UserQuestion>(), bus::topic_name<v1::UserAnswer>()})};
  Questions questions_{publisher_, clock_, Milliseconds(5'000)};
};

TEST_F(QuestionsTest, AnAnswerEndsTheWaitAndBothArePublished) {
  auto words = ask("Which file?");
  const auto asked = next<v1::UserQuestion>();
  EXPECT_EQ(asked.question(), "Which file?");
  EXPECT_EQ(asked.task_id(), "t1");
  EXPECT_EQ(asked.header().task_id(), "t1");
  EXPECT_EQ(asked.header().cause(), "step-of-t1");
  EXPECT_EQ(asked.expires_wall_ns(), (clock_.wall_now() + Milliseconds(5'000)).time_since_epoch().count());
  ASSERT_TRUE(answer(asked.question_id(), "the blue one"));
  EXPECT_EQ(words.get().value(), "the blue one");
  const auto answered = next<v1::UserAnswer>();
  EXPECT_EQ(answered.question_id(), asked.question_id());
  EXPECT_TRUE(answered.answered());
  EXPECT_EQ(answered.answer(), "the blue one");
  EXPECT_EQ(answered.by(), "ada@console");
  EXPECT_EQ(answered.header().cause(), asked.question_id());
}

TEST_F(QuestionsTest, ListHasOnlyOpenQuestions) {
  EXPECT_EQ(questions_.list().questions_size(), 0);
  auto words = ask("Which file?");
  const std::string id = next<v1::UserQuestion>().question_id();
  ASSERT_EQ(questions_.list().questions_size(), 1);
  EXPECT_EQ(questions_.list().questions(0).question_id(), id);
  EXPECT_EQ(questions_.list().questions(0).question(), "Which file?");
  ASSERT_TRUE(answer(id, "x"));
  EXPECT_EQ(questions_.list().questions_size(), 0);
  EXPECT_TRUE(words.get());
  EXPECT_EQ(questions_.list().questions_size(), 0);
}

TEST_F(QuestionsTest, IdIgnoresCaseAndSpaces) {
  auto words = ask("Which file?");
  std::string id = next<v1::UserQuestion>().question_id();
  for (char& c : id) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  ASSERT_TRUE(answer(" " + id + "\n", "x"));
  EXPECT_EQ(words.get().value(), "x");
}

TEST_F(QuestionsTest, SecondAnswerIsRefused) {
  auto words = ask("Which file?");
  const std::string id = next<v1::UserQuestion>().question_id();
  ASSERT_TRUE(answer(id, "first"));
  for (int when = 0; when < 2; ++when) {  // Whether or not ask() has returned yet.
    const auto second = answer(id, "second");
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().code, Code::kNotFound);
    EXPECT_THAT(second.error().message, HasSubstr("was answered already"));
    if (when == 0) {
      EXPECT_EQ(words.get().value(), "first");
    }
  }
}

TEST_F(QuestionsTest, AnUnknownQuestionIsNotFoundAndItsNameIsEscaped) {
  const auto unknown = answer("\x1b[2J", "x");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, Code::kNotFound);
  EXPECT_THAT(unknown.error().message, HasSubstr("\"\\x1b[2j\""));
}

TEST_F(QuestionsTest, ExpiresByTheClock) {
  auto words = ask("Which file?");
  const std::string id = next<v1::UserQuestion>().question_id();
  clock_.advance(Milliseconds(4'999));
  questions_.wake();
  EXPECT_EQ(questions_.list().questions_size(), 1);
  clock_.advance(Milliseconds(1));
  EXPECT_EQ(questions_.list().questions_size(), 0) << "even before the one who asked has noticed";
  EXPECT_EQ(answer(id, "late").error().code, Code::kNotFound);
  questions_.wake();
  const auto nobody = words.get();
  ASSERT_TRUE(nobody);
  EXPECT_FALSE(nobody->has_value());
  const auto ended = next<v1::UserAnswer>();
  EXPECT_FALSE(ended.answered());
  EXPECT_EQ(ended.answer(), "");
  EXPECT_THAT(answer(id, "later").error().message, HasSubstr("was not answered in time"));
}

TEST_F(QuestionsTest, DoesNotOutliveTheTimeLimitOfItsTask) {
  auto words = ask("Which file?", "t1", Milliseconds(1'000));
  EXPECT_EQ(next<v1::UserQuestion>().expires_wall_ns(),
            (clock_.wall_now() + Milliseconds(1'000)).time_since_epoch().count());
  clock_.advance(Milliseconds(1'000));
  questions_.wake();
  EXPECT_FALSE(words.get()->has_value());
}

TEST_F(QuestionsTest, AStopWithdrawsTheQuestion) {
  auto words = ask("Which file?");
  const std::string id = next<v1::UserQuestion>().question_id();
  stop_.request_stop();
  EXPECT_EQ(words.get().error().code, Code::kCancelled);
  EXPECT_FALSE(next<v1::UserAnswer>().answered());
  EXPECT_EQ(answer(id, "late").error().code, Code::kNotFound);
  EXPECT_EQ(questions_.list().questions_size(), 0);
}

TEST_F(QuestionsTest, NoQuestionOpensAfterAStopRequest) {
  stop_.request_stop();
  EXPECT_EQ(ask("Which file?").get().error().code, Code::kCancelled);
  EXPECT_FALSE(facts_.next(system_clock().now()).value());
}

TEST_F(QuestionsTest, ConcurrentQuestionsGetTheirOwnAnswers) {
  auto first = ask("Which file?", "t1");
  const std::string first_id = next<v1::UserQuestion>().question_id();
  auto second = ask("Which printer?", "t2");
  const std::string second_id = next<v1::UserQuestion>().question_id();
  EXPECT_NE(first_id, second_id);
  const auto listed = questions_.list();
  ASSERT_EQ(listed.questions_size(), 2);
  EXPECT_EQ(listed.questions(0).question_id(), first_id);
  EXPECT_EQ(listed.questions(1).question_id(), second_id);
  ASSERT_TRUE(answer(second_id, "the left one"));
  EXPECT_EQ(second.get().value(), "the left one");
  ASSERT_TRUE(answer(first_id, "the blue one"));
  EXPECT_EQ(first.get().value(), "the blue one");
}

TEST_F(QuestionsTest, ABadAnswerIsRefusedAndTheQuestionStaysOpen) {
  auto words = ask("Which file?");
  const std::string id = next<v1::UserQuestion>().question_id();
  const std::pair<std::string, std::string> bad[] = {{"", "is empty"},
                                                     {" \n\t", "is empty"},
                                                     {"\u200b\u202e", "is empty"},
                                                     {"a\xff", "not valid UTF-8"},
                                                     {std::string(4'001, 'x'), "4001 characters; at most 4000"}};
  for (const auto& [words_given, why] : bad) {
    const auto refused = answer(id, words_given);
    ASSERT_FALSE(refused) << why;
    EXPECT_EQ(refused.error().code, Code::kInvalidArgument);
    EXPECT_THAT(refused.error().message, HasSubstr(why));
  }
  for (const std::string& nobody : {std::string(), std::string(" "), std::string(101, 'a'), std::string("\xff")}) {
    EXPECT_EQ(answer(id, "x", nobody).error().code, Code::kInvalidArgument);
  }
  std::string longest;
  for (int i = 0; i < 4'000; ++i) longest += "漢";
  ASSERT_TRUE(answer(id, longest));
  EXPECT_EQ(words.get().value(), longest);
}

TEST(QuestionExpiry, IsConfigurableAndTwoMinutesByDefault) {
  const auto read = [](const char* toml) { return read_question_expiry(service::Config::parse(toml, "t").value()); };
  EXPECT_EQ(read("").value(), Milliseconds(120'000));
  EXPECT_EQ(read("[planner]\nquestion_expiry_ms = 1500\n").value(), Milliseconds(1'500));
  for (const char* bad : {"0", "-1", "31622400001", "\"1s\""}) {
    EXPECT_FALSE(read((std::string("[planner]\nquestion_expiry_ms = ") + bad + "\n").c_str())) << bad;
  }
}

}  // namespace
}  // namespace da::planner
