#include "services/console/report/story_reader.h"

#include <algorithm>
#include <unordered_map>

#include "da/v1/pause.pb.h"
#include "lib/base/id.h"
#include "lib/base/text.h"
#include "lib/bus/subscriber.h"
#include "lib/bus/topics.h"
#include "lib/recording/lost_facts.h"
#include "lib/recording/recording_file.h"
#include "services/console/report/page/image_size.h"
#include "services/console/terminal/stream/event_text.h"

namespace da::console {
namespace {

using recording::RecordingReader;

constexpr std::size_t kMostKept = 64 << 20;      // Bytes of facts.
constexpr std::size_t kMostOfReply = 64 << 10;   // Bytes of a model's reply.
constexpr std::size_t kMostOfRules = 512 << 10;  // Bytes of a rule file.
constexpr std::size_t kMostOfLogLine = 1000;     // Characters.

// Facts that tell nothing which the others do not: states, and the observer's answers with whole UI trees.
bool is_in_story(const google::protobuf::Descriptor* type) {
  return type != v1::ObserverAnswer::descriptor() && type != v1::TaskStateChanged::descriptor() &&
         type != v1::ImageFact::descriptor();
}

std::set<std::string> story_topics(StoryImages images) {
  std::set<std::string> topics;
  for (const auto* type : bus::all_facts()) {
    const bool image = type == v1::ImageFact::descriptor() && images == StoryImages::kWith;
    if (is_in_story(type) || image) topics.insert(bus::topic_of(*type)->name());
  }
  return topics;
}

// Noun and text of the line that people see live; empty for a fact without one.
std::pair<std::string, std::string> live_words(const std::string& topic, const google::protobuf::Message& message) {
  std::unique_ptr<google::protobuf::Message> copy(message.New());
  copy->CopyFrom(message);
  const std::string line = event_line({.topic = topic, .message = std::move(copy)});
  const std::size_t noun = line.find(' ');
  if (noun == std::string::npos) return {};
  const auto text = line.find_first_not_of(' ', noun);
  return {line.substr(0, noun), text == std::string::npos ? "" : line.substr(text)};
}

class StoryBuilder {
 public:
  StoryBuilder(TaskStory& story, StoryImages images)
      : story_(story), images_(images), task_id_(RecordingReader::value(story.about, "task")) {}

  void take(const RecordingReader::Fact& fact);
  // Facts of different writers may come in another order than they were sent, so this needs all of them.
  void choose_screenshots();
  bool has_other_tasks() const { return has_other_tasks_; }

 private:
  template <class T, class Take>
  bool handle(const RecordingReader::Fact& fact, Take take) {
    const T* message = fact.as<T>();
    if (message == nullptr) return false;
    take(*message);
    return true;
  }

  // False if the story is full.
  bool keep(std::size_t bytes) {
    if (bytes > kMostKept - kept_) {
      ++story_.left_out;
      return false;
    }
    kept_ += bytes;
    return true;
  }
  void add_entry(StoryEntry::Kind kind, std::size_t index) { story_.entries.push_back({kind, index, at_}); }
  void add_event(std::string noun, std::string text, StoryEvent::Weight weight);
  StoryStep* step(const std::string& id);
  StoryApproval* approval(const std::string& step_id, const std::string& id);

  void take_opened(const v1::TaskOpened& opened);
  void take_plan(const v1::Plan& plan);
  void take_judged(const v1::StepJudged& judged);
  void take_verdict(const v1::Verdict& verdict);
  void take_request(const v1::ApprovalRequest& request);
  void take_decision(const v1::ApprovalDecision& decision);
  void take_outcome(const v1::Outcome& outcome);
  void take_answer(const v1::StepAnswered& answer);
  void take_call(const v1::ModelCall& call);
  void take_observation(const v1::Observation& seen);
  void take_image(const v1::ImageFact& image);
  void take_rules(const v1::RuleFile& rules);
  void take_log(const v1::Header& header, const v1::LogLine& line);

  TaskStory& story_;
  const StoryImages images_;
  std::string task_id_;  // The first task of a recording of several.
  bool has_other_tasks_ = false;
  std::size_t kept_ = 0;
  WallTime at_{};                                                                   // Time of the current fact.
  std::unordered_map<std::string, std::size_t> steps_;                              // Index, keyed by step id.
  std::unordered_map<std::string, std::pair<std::size_t, std::size_t>> approvals_;  // Step and index by approval id.
};

void StoryBuilder::take(const RecordingReader::Fact& fact) {
  if (task_id_.empty() && fact.as<v1::TaskOpened>() != nullptr) task_id_ = fact.header.task_id();
  if (!fact.header.task_id().empty() && !task_id_.empty() && fact.header.task_id() != task_id_) {
    has_other_tasks_ = true;
    return;
  }
  at_ = fact.received;
  if (story_.began == WallTime{}) story_.began = at_;
  story_.last = at_;
  const bool taken = handle<v1::ImageFact>(fact, [&](const auto& image) { take_image(image); }) ||
                     handle<v1::Observation>(fact, [&](const auto& seen) { take_observation(seen); }) ||
                     handle<v1::Plan>(fact, [&](const auto& plan) { take_plan(plan); }) ||
                     handle<v1::StepJudged>(fact, [&](const auto& judged) { take_judged(judged); }) ||
                     handle<v1::Verdict>(fact, [&](const auto& verdict) { take_verdict(verdict); }) ||
                     handle<v1::ApprovalRequest>(fact, [&](const auto& request) { take_request(request); }) ||
                     handle<v1::ApprovalDecision>(fact, [&](const auto& decision) { take_decision(decision); }) ||
                     handle<v1::Outcome>(fact, [&](const auto& outcome) { take_outcome(outcome); }) ||
                     handle<v1::PolicyOutcome>(fact, [&](const auto& given) { take_outcome(given.outcome()); }) ||
                     handle<v1::StepAnswered>(fact, [&](const auto& answer) { take_answer(answer); }) ||
                     handle<v1::ModelCall>(fact, [&](const auto& call) { take_call(call); }) ||
                     handle<v1::GrantIssued>(fact,
                                             [&](const auto& grant) {
                                               if (auto* granted = step(grant.claims().step_id()))
                                                 granted->grant_approver = grant.claims().approver();
                                             }) ||
                     handle<v1::TaskOpened>(fact, [&](const auto& opened) { take_opened(opened); }) ||
                     handle<v1::TaskAccepted>(fact,
                                              [&](const auto& accepted) {
                                                if (keep(accepted.SpaceUsedLong())) story_.accepted = accepted;
                                              }) ||
                     handle<v1::TaskEnded>(fact,
                                           [&](const auto& ended) {
                                             if (keep(ended.SpaceUsedLong())) story_.result = ended.result();
                                           }) ||
                     handle<v1::RuleFile>(fact, [&](const auto& rules) { take_rules(rules); }) ||
                     handle<v1::TaskClosed>(fact,
                                            [&](const auto& closed) {
                                              add_event("closed", escape_foreign(closed.reason(), kMostOfLogLine),
                                                        StoryEvent::Weight::kUsual);
                                            }) ||
                     handle<v1::ObserverLog>(fact, [&](const auto& log) { take_log(log.header(), log.line()); }) ||
                     handle<v1::PlannerLog>(fact, [&](const auto& log) { take_log(log.header(), log.line()); }) ||
                     handle<v1::PolicyLog>(fact, [&](const auto& log) { take_log(log.header(), log.line()); }) ||
                     handle<v1::ActuatorLog>(fact, [&](const auto& log) { take_log(log.header(), log.line()); });
  if (taken) return;
  const bool notable = fact.as<v1::PolicyHalt>() != nullptr || fact.as<v1::ActuatorHalt>() != nullptr ||
                       fact.as<v1::PolicyPause>() != nullptr || fact.as<v1::ActuatorPause>() != nullptr ||
                       fact.as<v1::PartFailed>() != nullptr;
  if (fact.as<v1::PartFailed>() != nullptr) ++story_.failures;
  auto [noun, text] = live_words(fact.topic, *fact.message);
  if (!noun.empty()) {
    add_event(std::move(noun), std::move(text), notable ? StoryEvent::Weight::kNotable : StoryEvent::Weight::kUsual);
  }
}

void StoryBuilder::add_event(std::string noun, std::string text, StoryEvent::Weight weight) {
  if (!keep(sizeof(StoryEvent) + sizeof(StoryEntry) + text.size())) return;
  add_entry(StoryEntry::Kind::kEvent, story_.events.size());
  story_.events.push_back({at_, std::move(noun), std::move(text), weight});
}

// The step of this id, which is new if no fact has named it before. nullptr if the story is full.
StoryStep* StoryBuilder::step(const std::string& id) {
  if (const auto found = steps_.find(id); found != steps_.end()) return &story_.steps[found->second];
  if (!keep(sizeof(StoryStep) + sizeof(StoryEntry) + 2 * id.size())) return nullptr;
  const std::size_t index = story_.steps.size();
  steps_[id] = index;
  add_entry(StoryEntry::Kind::kStep, index);
  StoryStep& added = story_.steps.emplace_back();
  added.step.set_step_id(id);
  added.at = at_;
  return &added;
}

void StoryBuilder::take_opened(const v1::TaskOpened& opened) {
  if (!keep(opened.SpaceUsedLong())) return;
  story_.opened = opened;
  // A recording of the bus is not about one task.
  story_.about.try_emplace("task", opened.header().task_id());
  story_.about.try_emplace("goal", opened.request().goal());
  story_.about.try_emplace("opened_by", opened.request().opened_by());
  story_.about.try_emplace("planner", opened.request().planner());
  story_.about.try_emplace("desktop", opened.header().desktop_id());
}

void StoryBuilder::take_plan(const v1::Plan& plan) {
  if (plan.has_done()) add_event("plan", "done: " + escape_foreign(plan.done(), kMostOfLogLine), {});
  for (const v1::Step& proposed : plan.steps()) {
    StoryStep* added = step(proposed.step_id());
    if (added == nullptr || !keep(proposed.SpaceUsedLong())) continue;
    added->step = proposed;
    added->frame_id = plan.frame_id();
  }
}

void StoryBuilder::take_judged(const v1::StepJudged& judged) {
  StoryStep* of = step(judged.step().step_id().empty() ? judged.header().cause() : judged.step().step_id());
  if (of == nullptr) return;
  v1::StepJudged kept = judged;
  kept.mutable_evidence()->clear_target_pixels();
  kept.mutable_evidence()->clear_drop_pixels();
  if (!keep(kept.SpaceUsedLong())) return;
  if (!of->step.has_action()) of->step = kept.step();
  of->judged = at_;
  of->judgements.push_back(std::move(kept));
}

void StoryBuilder::take_verdict(const v1::Verdict& verdict) {
  StoryStep* of = step(verdict.step_id());
  if (of == nullptr || !keep(verdict.SpaceUsedLong())) return;
  of->verdict = verdict;
  of->judged = at_;
  of->ended = std::max(of->ended, at_);
}

// nullptr if the story is full.
StoryApproval* StoryBuilder::approval(const std::string& step_id, const std::string& id) {
  if (const auto found = approvals_.find(id); found != approvals_.end()) {
    return &story_.steps[found->second.first].approvals[found->second.second];
  }
  StoryStep* of = step(step_id);
  if (of == nullptr || !keep(sizeof(StoryApproval) + 2 * id.size())) return nullptr;
  approvals_[id] = {static_cast<std::size_t>(of - story_.steps.data()), of->approvals.size()};
  ++story_.approvals.asked;
  return &of->approvals.emplace_back();
}

void StoryBuilder::take_request(const v1::ApprovalRequest& request) {
  StoryApproval* asked = approval(request.step().step_id(), request.approval_id());
  if (asked == nullptr) return;
  if (!asked->request) asked->asked = at_;
  if (const std::string& png = request.evidence().picture_png(); !png.empty() && images_ == StoryImages::kWith) {
    const std::string hash = image_hash_of(png);
    if (auto image = look_at_image(png, hash); image && keep(sizeof *image + hash.size())) {
      image->at = at_;
      asked->picture_hash = hash;
      story_.images.emplace(hash, *std::move(image));
    }
  }
  v1::ApprovalRequest kept = request;
  kept.mutable_evidence()->clear_picture_png();
  kept.mutable_evidence()->clear_target_pixels();
  kept.mutable_evidence()->clear_drop_pixels();
  if (!keep(kept.SpaceUsedLong())) return;
  StoryStep& of = story_.steps[approvals_[request.approval_id()].first];
  if (!of.step.has_action()) of.step = kept.step();
  asked->request = std::move(kept);
}

void StoryBuilder::take_decision(const v1::ApprovalDecision& decision) {
  StoryApproval* asked = approval(decision.step_id(), decision.approval_id());
  if (asked == nullptr || !keep(decision.SpaceUsedLong())) return;
  story_.approvals.add(decision);
  asked->decision = decision;
  asked->answered = at_;
}

void StoryBuilder::take_outcome(const v1::Outcome& outcome) {
  StoryStep* of = step(outcome.step_id());
  if (of == nullptr || !keep(outcome.SpaceUsedLong() + sizeof(StoryOutcome))) return;
  of->outcomes.push_back({outcome, at_});
  of->ended = at_;
}

void StoryBuilder::take_answer(const v1::StepAnswered& answer) {
  StoryStep* of = step(answer.step_id());
  if (of == nullptr || !keep(answer.SpaceUsedLong())) return;
  of->answer = answer;
  of->ended = at_;
}

void StoryBuilder::take_call(const v1::ModelCall& call) {
  v1::ModelCall kept = call;
  kept.clear_request();
  if (kept.reply().size() > kMostOfReply) kept.mutable_reply()->resize(kMostOfReply);
  if (kept.tool_calls().size() > kMostOfReply) kept.mutable_tool_calls()->resize(kMostOfReply);
  std::string words = live_words(bus::topic_name<v1::ModelCall>(), kept).second;
  if (!keep(kept.SpaceUsedLong() + sizeof(StoryCall) + words.size())) return;
  add_entry(StoryEntry::Kind::kCall, story_.calls.size());
  story_.calls.push_back({std::move(kept), std::move(words), at_});
}

void StoryBuilder::take_observation(const v1::Observation& seen) {
  if (seen.image_hash().empty()) return;
  StoryScreenshot shot{seen.image_hash(), seen.frame_id(), seen.coordinates(), at_};
  shot.coordinates.clear_monitors();
  if (keep(sizeof shot + seen.image_hash().size() + seen.frame_id().size())) {
    story_.screenshots.push_back(std::move(shot));
  }
}

void StoryBuilder::take_image(const v1::ImageFact& fact) {
  auto image = look_at_image(fact.data(), fact.image_hash());
  if (!image) {
    add_event("image", "an image of the recording is neither PNG nor JPEG, or is not the one it claims to be; left out",
              StoryEvent::Weight::kNotable);
  } else if (keep(sizeof *image + fact.image_hash().size())) {
    image->at = at_;
    story_.images.emplace(fact.image_hash(), *std::move(image));
  }
}

void StoryBuilder::take_rules(const v1::RuleFile& rules) {
  const bool known =
      std::ranges::any_of(story_.rules, [&](const auto& one) { return one.version() == rules.version(); });
  if (known || !keep(rules.SpaceUsedLong())) return;
  story_.rules.push_back(rules);
  if (rules.toml().size() > kMostOfRules) story_.rules.back().mutable_toml()->resize(kMostOfRules);
}

void StoryBuilder::take_log(const v1::Header& header, const v1::LogLine& line) {
  const std::string level = line.level() == v1::LogLine::LEVEL_WARNING ? "warning" : "error";
  add_event(
      "log",
      "da-" + escape_foreign(header.writer(), 20) + ", " + level + ": " + escape_foreign(line.text(), kMostOfLogLine),
      StoryEvent::Weight::kNotable);
}

void StoryBuilder::choose_screenshots() {
  const auto& shots = story_.screenshots;
  std::unordered_map<std::string, std::vector<std::size_t>> by_frame;
  for (std::size_t i = 0; i < shots.size(); ++i) by_frame[shots[i].frame_id].push_back(i);
  for (StoryStep& of : story_.steps) {
    if (const auto same = by_frame.find(of.frame_id); same != by_frame.end() && !of.frame_id.empty()) {
      const auto next = std::ranges::upper_bound(same->second, of.at, {}, [&](std::size_t i) { return shots[i].at; });
      of.match = StoryStep::Match::kSameFrame;
      of.screenshot = next == same->second.begin() ? *next : *std::prev(next);
      continue;
    }
    const auto next = std::ranges::upper_bound(shots, of.at, {}, &StoryScreenshot::at);
    if (next == shots.begin()) continue;
    of.match = StoryStep::Match::kEarlier;
    of.screenshot = static_cast<std::size_t>(std::prev(next) - shots.begin());
  }
}

}  // namespace

std::string image_hash_of(std::string_view bytes) { return to_hex(blake2b(bytes, 16)); }

std::optional<StoryImage> look_at_image(const std::string& bytes, const std::string& hash) {
  const auto size = image_size(bytes);
  if (!size || image_hash_of(bytes) != hash) return std::nullopt;
  return StoryImage{.media_type = size->media_type, .width = size->width, .height = size->height};
}

TaskStory read_story(const RecordingReader& recording, StoryImages images) {
  TaskStory story;
  story.file = recording.path().filename().string();
  story.about = recording.about();
  story.end = recording.end();
  story.problem = recording.file().problem();
  StoryBuilder builder(story, images);
  const auto read = recording.facts({.topics = story_topics(images)}, [&](const RecordingReader::Fact& fact) {
    builder.take(fact);
    return ok();
  });
  builder.choose_screenshots();
  const auto gaps = recording.file().read({.topics = {recording::kGapTopic}}, [&](const auto& message) {
    v1::RecordingGap gap;
    const bool parsed = gap.ParseFromArray(message.data.data(), static_cast<int>(message.data.size()));
    if (parsed) recording::count_lost(gap, story.lost);
    return ok();
  });
  if (!read && story.problem.empty()) story.problem = read.error().message;
  if (!gaps && story.problem.empty()) story.problem = gaps.error().message;
  if (builder.has_other_tasks() && story.problem.empty()) {
    story.problem = "the recording holds several tasks, and this is only the first one";
  }
  return story;
}

}  // namespace da::console
