#include "services/planner/rules/run/region_questions.h"

#include <utility>

#include "lib/base/text.h"
#include "lib/contract/coordinates.h"
#include "services/planner/model/prompt.h"
#include "services/planner/rules/engine/vision_answer.h"

namespace da::planner::rules {
namespace {

constexpr std::size_t kMaxAnswers = 256;
constexpr std::uint32_t kAnswerTokens = 4'096;  // Some models think before they answer.

// Why an answer cannot be used; empty if it can.
std::string problem_of(const model::Reply& reply) {
  const std::string why = reply.detail.empty() ? "" : ": " + escape_foreign(reply.detail, 300);
  switch (reply.finish) {
    case model::Finish::kComplete: break;
    case model::Finish::kLength: return "its answer was cut off, because it was too long";
    case model::Finish::kRefused: return "it refused to answer" + why;
    case model::Finish::kFiltered: return "the question or the answer was blocked" + why;
    case model::Finish::kContextFull: return "the question is longer than it can read" + why;
    case model::Finish::kMalformed: return "its answer could not be read" + why;
  }
  if (reply.text.size() <= kMaxAnswerBytes) return is_valid_utf8(reply.text) ? "" : "its answer is not valid UTF-8";
  return "its answer has " + std::to_string(reply.text.size()) + " bytes; at most " + std::to_string(kMaxAnswerBytes) +
         " are read";
}

model::Request request_of(const std::string& prompt, const v1::RegionPicture& picture) {
  model::Request request;
  request.system = model::question_prompt(picture.width(), picture.height());
  request.max_output_tokens = kAnswerTokens;
  model::Message question{.text = prompt};
  question.images.push_back({picture.image().media_type(), picture.image().data(), picture.width(), picture.height()});
  request.messages.push_back(std::move(question));
  return request;
}

}  // namespace

RegionQuestions::Key RegionQuestions::key_of(const Question& question) {
  return {*question.region, question.name, question.role};
}

void RegionQuestions::begin_cycle() {
  newest_.clear();
  for (auto& [key, contents] : answers_) {
    std::erase_if(contents, [](const auto& one) { return std::holds_alternative<Error>(one.second); });
  }
  std::erase_if(answers_, [](const auto& one) { return one.second.empty(); });
}

v1::ImageLimits RegionQuestions::image_limits(const Question& question) const {
  return calls_.image_limits(model_named(profile_, question.role));
}

const Answer<std::string>* RegionQuestions::find(const Question& question, const std::string& content) const {
  const auto known = answers_.find(key_of(question));
  if (known == answers_.end()) return nullptr;
  const auto answer = known->second.find(content);
  return answer == known->second.end() ? nullptr : &answer->second;
}

const Answer<std::string>* RegionQuestions::newest(const Question& question) const {
  const auto content = newest_.find(key_of(question));
  return content == newest_.end() ? nullptr : find(question, content->second);
}

Result<void> RegionQuestions::ask(const Question& question, const std::string& content,
                                  const v1::RegionPicture& picture) {
  model::ModelCaller caller = calls_.caller(model_named(profile_, question.role), kLongestQuestion);
  const auto reply = caller.ask(request_of(question.name, picture));
  const Key key = key_of(question);
  if (!reply) {
    if (reply.error().code == Code::kCancelled) return reply.error();
    RETURN_IF_ERROR(calls_.budget().check());
    remember(key, content, reply.error());
    return ok();
  }
  const std::string who = caller.model().provider() + " (" + caller.model().name() + "): ";
  if (const std::string problem = problem_of(*reply); !problem.empty()) {
    remember(key, content, Error{Code::kFailedPrecondition, who + problem});
    return ok();
  }
  const Rect part = contract::from_proto(picture.part());
  remember(key, content, boxes_in_region(reply->text, picture.width(), picture.height(), part));
  return ok();
}

void RegionQuestions::remember(const Key& key, const std::string& content, Answer<std::string> answer) {
  newest_.insert_or_assign(key, content);
  if (!std::holds_alternative<Error>(answer)) order_.emplace_back(key, content);
  answers_[key].insert_or_assign(content, std::move(answer));
  if (order_.size() <= kMaxAnswers) return;
  const auto [oldest, its_content] = std::move(order_.front());
  order_.pop_front();
  if (const auto known = answers_.find(oldest); known != answers_.end()) known->second.erase(its_content);
}

}  // namespace da::planner::rules
