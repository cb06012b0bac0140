#include "services/console/replay/stand_in/answer_book.h"

#include <gtest/gtest.h>

namespace da::console {
namespace {

// A read of the tree or of one element, and an answer with these elements.
v1::ObserverAnswer answer_to(const std::string& element_id, const std::vector<std::string>& elements) {
  v1::ObserverAnswer answer;
  answer.mutable_header()->set_cause("step");
  answer.mutable_read_ui()->set_element_id(element_id);
  for (const std::string& id : elements) answer.mutable_tree()->add_nodes()->set_element_id(id);
  return answer;
}

int elements_in(const v1::ObserverAnswer* answer) { return answer == nullptr ? -1 : answer->tree().nodes_size(); }

TEST(AnswerBookTest, ARequestForOneElementGetsItsOwnAnswer) {
  const std::vector recorded{answer_to("", {"a", "b"}), answer_to("b", {"b"})};
  AnswerBook book(recorded);
  EXPECT_EQ(elements_in(book.next(answer_to("b", {}))), 1);
  EXPECT_EQ(elements_in(book.next(answer_to("", {}))), 2);
}

TEST(AnswerBookTest, ARequestForOneElementGetsTheTreeOfAnOlderRecording) {
  const std::vector recorded{answer_to("", {"a", "b"})};
  AnswerBook book(recorded);
  EXPECT_EQ(elements_in(book.next(answer_to("b", {}))), 2);
}

TEST(AnswerBookTest, ARequestForTheTreeNeverGetsOneElement) {
  const std::vector recorded{answer_to("b", {"b"})};
  AnswerBook book(recorded);
  EXPECT_EQ(book.next(answer_to("", {})), nullptr);
}

}  // namespace
}  // namespace da::console
