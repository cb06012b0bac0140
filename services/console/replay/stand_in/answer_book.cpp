#include "services/console/replay/stand_in/answer_book.h"

#include "lib/contract/digest.h"

namespace da::console {
namespace {

// What must be equal: ids and waiting times differ from run to run.
std::string key_of(const v1::ObserverAnswer& answer) {
  v1::ObserverAnswer key;
  const auto strip = [](auto& request) {
    request.clear_task_id();
    request.clear_observation_token();
    request.clear_cause();
  };
  if (answer.has_observe()) {
    *key.mutable_observe() = answer.observe();
    strip(*key.mutable_observe());
    key.mutable_observe()->clear_max_wait_ms();
    key.mutable_observe()->clear_return_image();
  }
  if (answer.has_locate()) {
    *key.mutable_locate() = answer.locate();
    strip(*key.mutable_locate());
    key.mutable_locate()->clear_max_wait_ms();
    key.mutable_locate()->clear_number();
  }
  if (answer.has_read_ui()) {
    *key.mutable_read_ui() = answer.read_ui();
    strip(*key.mutable_read_ui());
  }
  if (answer.has_zoom()) {
    *key.mutable_zoom() = answer.zoom();
    strip(*key.mutable_zoom());
  }
  if (answer.has_analyze()) {
    *key.mutable_analyze() = answer.analyze();
    strip(*key.mutable_analyze());
    key.mutable_analyze()->clear_templates();  // The queries name them. They are sent once, at any time.
    key.mutable_analyze()->clear_number();
    for (auto& region : *key.mutable_analyze()->mutable_regions()) {
      if (region.picture().for_recording()) region.clear_picture();
    }
  }
  return contract::canonical_bytes(key);
}

}  // namespace

AnswerBook::AnswerBook(const std::vector<v1::ObserverAnswer>& answers) {
  std::string cause;
  for (const v1::ObserverAnswer& answer : answers) {
    if (groups_.empty() || answer.header().cause() != cause) groups_.emplace_back();
    cause = answer.header().cause();
    groups_.back()[key_of(answer)].push_back(&answer);
  }
}

const v1::ObserverAnswer* AnswerBook::take(Group& group, const std::string& key) {
  const auto answers = group.find(key);
  if (answers == group.end()) return nullptr;
  const v1::ObserverAnswer* answer = answers->second.front();
  if (answers->second.size() > 1) answers->second.pop_front();
  return answer;
}

const v1::ObserverAnswer* AnswerBook::next(const v1::ObserverAnswer& request) {
  if (begun_ && request.header().cause() != cause_ && group_ + 1 < groups_.size()) ++group_;
  begun_ = true;
  cause_ = request.header().cause();
  if (const auto* answer = find(key_of(request))) return answer;
  if (request.read_ui().element_id().empty()) return nullptr;
  v1::ObserverAnswer whole = request;
  whole.mutable_read_ui()->clear_element_id();
  return find(key_of(whole));
}

const v1::ObserverAnswer* AnswerBook::find(const std::string& key) {
  for (std::size_t group = group_; group < groups_.size(); ++group) {
    if (const auto* answer = take(groups_[group], key)) {
      group_ = group;
      return answer;
    }
  }
  // The replay went back, as after a refused step.
  for (std::size_t group = group_; group-- > 0;) {
    if (const auto* answer = take(groups_[group], key)) return answer;
  }
  return nullptr;
}

}  // namespace da::console
