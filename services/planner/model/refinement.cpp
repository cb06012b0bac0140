#include "services/planner/model/refinement.h"

#include <utility>

#include "lib/base/text.h"
#include "lib/contract/coordinates.h"
#include "lib/contract/json/parse.h"
#include "lib/contract/json/schema.h"
#include "services/planner/model/prompt.h"
#include "services/planner/tools/described_target.h"

namespace da::planner::model {
namespace {

// The wait for a described element before a model that takes images is asked where it sees it.
constexpr Milliseconds kShortSearch{2'000};
constexpr std::uint32_t kAnswerTokens = 2'048;  // For a box; some models think before it.
constexpr int kMostAnswers = 2;

}  // namespace

Result<std::vector<v1::Step>> Refinement::refine(const v1::Step& step) {
  const std::string target = description_in(step.action());
  const bool takes_images = sees_ == Sees::kImages;
  const auto find = [&](Milliseconds wait) { return find_described(step.action(), view_, wait); };
  Milliseconds wait = takes_images ? kShortSearch : kTargetWait;
  ASSIGN_OR_RETURN(auto reply, find(wait));
  const bool unknown = !reply.ambiguous() && reply.candidates().empty();
  const bool not_ready = takes_images && !reply.ambiguous() && !reply.missing().empty() && !unknown;
  if (not_ready) {
    wait = kTargetWait;
    ASSIGN_OR_RETURN(reply, find(wait - kShortSearch));
  }
  if (const auto one = the_one_of(reply, target, wait)) return steps_on(step, *one);
  const Error told = the_one_of(reply, target, wait).error();
  if (!takes_images || !unknown) return told;
  ASSIGN_OR_RETURN(const auto seen, ask_where(target));
  if (seen) return steps_at(step, *seen);
  return Error{told.code, told.message + ", and the model sees no such element, or several"};
}

// Uses a separate dialogue and a new screenshot without overlay, so that the task's dialogue does not grow.
Result<std::optional<v1::Point>> Refinement::ask_where(const std::string& target) {
  ASSIGN_OR_RETURN(const auto seen, view_.look(Picture::kPlain, Milliseconds(0)));
  ASSIGN_OR_RETURN(auto picture, view_.image(seen.image_hash()));
  const auto& coordinates = seen.coordinates();
  Request request;
  request.system = find_prompt();
  request.max_output_tokens = kAnswerTokens;
  request.schema_name = "box";
  request.schema = contract::box_schema();
  Message question{.text = find_question(target)};
  question.images.push_back({picture.media_type(), std::move(*picture.mutable_data()), coordinates.image_width(),
                             coordinates.image_height()});
  request.messages.push_back(std::move(question));
  for (int answers = 1;; ++answers) {
    ASSIGN_OR_RETURN(const Reply reply, caller_.ask(request));
    if (reply.finish != Finish::kComplete) {
      return Error{Code::kFailedPrecondition, "the model did not say where it sees " + quote_foreign(target) + ": " +
                                                  escape_foreign(reply.detail, 200)};
    }
    const auto box = contract::parse_box(reply.text, static_cast<int>(coordinates.image_width()),
                                         static_cast<int>(coordinates.image_height()));
    if (box && !*box) return std::optional<v1::Point>();
    if (box) {
      ASSIGN_OR_RETURN(const Point at, contract::map_to_desktop(coordinates, (*box)->center()));
      return std::optional(contract::to_proto(at));
    }
    if (answers >= kMostAnswers) {
      return Error{Code::kFailedPrecondition,
                   "the model's box for " + quote_foreign(target) + " could not be used: " + box.error().message};
    }
    request.messages.push_back({.from = Message::From::kModel, .text = reply.text});
    request.messages.push_back({.text = repair_prompt(box.error().message)});
    request.max_output_tokens /= 2;
  }
}

}  // namespace da::planner::model
