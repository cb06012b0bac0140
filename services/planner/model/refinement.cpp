#include "services/planner/model/refinement.h"

#include <utility>

#include "lib/base/text.h"
#include "lib/contract/coordinates.h"
#include "lib/contract/parse.h"
#include "lib/contract/schema.h"
#include "services/planner/model/prompt.h"

namespace da::planner::model {
namespace {

// For a model with eyes: what has no name that can be found has to be looked at.
constexpr Milliseconds kGlance{2'000};
constexpr std::uint32_t kAnswerTokens = 2'048;  // Of a box; some models think before it.
constexpr int kMostAnswers = 2;

v1::Step step_of(const v1::Step& model_step, v1::Action action) {
  v1::Step step = model_step;
  *step.mutable_action() = std::move(action);
  return step;
}

v1::Action click_at(const v1::Point& point) {
  v1::Action click;
  click.mutable_mouse()->set_x(point.x());
  click.mutable_mouse()->set_y(point.y());
  return click;
}

}  // namespace

bool is_described(const v1::Action& action) {
  return action.has_click_described_element() || action.has_type_in_described_field();
}

Result<std::vector<v1::Step>> Refinement::refine(const v1::Step& step) {
  const bool types = step.action().has_type_in_described_field();
  const std::string& target = types ? step.action().type_in_described_field().target_description()
                                    : step.action().click_described_element().target_description();
  bool has_focus = false;
  ASSIGN_OR_RETURN(auto click, click_on(target, types, has_focus));
  std::vector<v1::Step> steps;
  if (!types || !has_focus) steps.push_back(step_of(step, std::move(click)));
  if (types) {
    v1::Action write;
    write.mutable_write()->set_text(step.action().type_in_described_field().text_to_type());
    steps.push_back(step_of(step, std::move(write)));
  }
  return steps;
}

Result<v1::Action> Refinement::click_on(const std::string& target, bool types, bool& has_focus) {
  const bool has_eyes = sees_ == Sees::kImages;
  const auto find = [&](Milliseconds wait) {
    return sight_.find(target, types ? v1::ACTIONABLE_EDITABLE : v1::ACTIONABLE_ENABLED,
                       types ? Ocr::kWithout : Ocr::kWith, wait);
  };
  Milliseconds wait = has_eyes ? kGlance : kTargetWait;
  ASSIGN_OR_RETURN(auto reply, find(wait));
  const bool unknown = !reply.ambiguous() && reply.candidates().empty();
  const bool not_ready = has_eyes && !reply.ambiguous() && !reply.missing().empty() && !unknown;
  if (not_ready) {
    wait = kTargetWait;
    ASSIGN_OR_RETURN(reply, find(wait - kGlance));
  }
  if (const auto one = the_one_of(reply, target, wait)) {
    has_focus = has_state(one->node(), v1::UI_STATE_FOCUSED);
    if (one->source() != v1::Candidate::SOURCE_UI_TREE) return click_at(center_of(one->bounds()));
    v1::Action click;
    click.mutable_ui_click()->set_element_id(one->node().element_id());
    return click;
  }
  const Error told = the_one_of(reply, target, wait).error();
  if (!has_eyes || !unknown) return told;
  ASSIGN_OR_RETURN(const auto seen, ask_where(target));
  if (seen) return click_at(*seen);
  return Error{told.code, told.message + ", and looking for it showed none, or more than one"};
}

// Its own small dialogue, over a screenshot of now with nothing drawn over it: the task's is not burdened with it.
Result<std::optional<v1::Point>> Refinement::ask_where(const std::string& target) {
  ASSIGN_OR_RETURN(const auto seen, sight_.look(Picture::kPlain, Milliseconds(0)));
  ASSIGN_OR_RETURN(auto picture, sight_.image(seen.image_hash()));
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
                   "where the model sees " + quote_foreign(target) + " could not be used: " + box.error().message};
    }
    request.messages.push_back({.from = Message::From::kModel, .text = reply.text});
    request.messages.push_back({.text = repair_prompt(box.error().message)});
    request.max_output_tokens /= 2;
  }
}

}  // namespace da::planner::model
