#include "services/planner/rules/explain/recorded_run.h"

#include <algorithm>

#include "lib/base/id.h"
#include "lib/base/path_text.h"
#include "lib/base/text.h"
#include "lib/bus/topics.h"
#include "lib/recording/lost_facts.h"

namespace da::planner::rules {
namespace {

using recording::RecordingReader;

constexpr std::uint64_t kMaxFactBytes = 512ull << 20;
constexpr std::size_t kDigestBytes = 16;

class RunReader {
 public:
  explicit RunReader(std::shared_ptr<const RecordingReader> recording) { run_.recording = std::move(recording); }

  Result<RecordedRun> read() {
    RETURN_IF_ERROR(pass({bus::topic_name<v1::TaskAccepted>()}, [this](const auto& fact) { add_task(fact); }));
    const std::string file = da::text_of(run_.recording->path());
    if (run_.task_id.empty()) {
      return Error{Code::kInvalidArgument, file + " has no run of a profile" + because_of_damage()};
    }
    const std::set<std::string> topics = {bus::topic_name<v1::ObserverAnswer>(), bus::topic_name<v1::RulesEvaluated>(),
                                          bus::topic_name<v1::RuleEvent>(), bus::topic_name<v1::ImageFact>()};
    RETURN_IF_ERROR(pass(topics, [this](const auto& fact) { add(fact); }));
    if (run_.evaluations.empty()) {
      return Error{Code::kInvalidArgument,
                   file +
                       " has no evaluated rules: the run ended before its first cycle, or was recorded by an older "
                       "version" +
                       because_of_damage()};
    }
    finish();
    RETURN_IF_ERROR(count_lost(topics));
    return std::move(run_);
  }

 private:
  std::string because_of_damage() const { return run_.damage.empty() ? "" : "; it is damaged: " + run_.damage; }

  // Damage ends the reading, not the command.
  Result<void> pass(const std::set<std::string>& topics,
                    const std::function<void(const RecordingReader::Fact&)>& take) {
    std::optional<Error> too_large;
    std::uint64_t bytes = 0;
    const auto read = run_.recording->facts({.topics = topics}, [&](const RecordingReader::Fact& fact) -> Result<void> {
      if (fact.as<v1::ImageFact>() == nullptr) bytes += fact.payload.size();
      if (bytes > kMaxFactBytes) {
        too_large =
            Error{Code::kResourceExhausted, da::text_of(run_.recording->path()) + " has more than " +
                                                std::to_string(kMaxFactBytes >> 20) +
                                                " MiB of facts about the run, which is all that can be explained"};
        return *too_large;
      }
      take(fact);
      return ok();
    });
    if (too_large) return *too_large;
    if (!read) run_.damage = read.error().message;
    if (run_.damage.empty()) run_.damage = run_.recording->file().problem();
    return ok();
  }

  void add_task(const RecordingReader::Fact& fact) {
    const auto* accepted = fact.as<v1::TaskAccepted>();
    if (accepted == nullptr || !accepted->request().has_profile() || !run_.task_id.empty()) return;
    run_.task_id = fact.header.task_id();
    run_.profile = accepted->request().profile();
  }

  void add(const RecordingReader::Fact& fact) {
    if (fact.header.task_id() != run_.task_id) return;
    if (const auto* answer = fact.as<v1::ObserverAnswer>()) add(*answer);
    if (const auto* evaluated = fact.as<v1::RulesEvaluated>()) run_.evaluations.push_back({*evaluated, {}});
    if (const auto* event = fact.as<v1::RuleEvent>()) events_[event->evaluation()].push_back(*event);
    if (const auto* image = fact.as<v1::ImageFact>()) {
      run_.pictures.try_emplace(image->image_hash(),
                                static_cast<std::uint64_t>(fact.received.time_since_epoch().count()));
    }
  }

  void add(const v1::ObserverAnswer& answer) {
    const std::uint64_t number = answer.has_analyze()  ? answer.analyze().number()
                                 : answer.has_locate() ? answer.locate().number()
                                                       : 0;
    if (number != 0) run_.answers.try_emplace(number, answer);
  }

  void finish() {
    std::ranges::stable_sort(run_.evaluations, {}, [](const RecordedEvaluation& one) { return one.fact.evaluation(); });
    for (RecordedEvaluation& one : run_.evaluations) one.events = std::move(events_[one.fact.evaluation()]);
  }

  Result<void> count_lost(const std::set<std::string>& topics) {
    const auto gaps = run_.recording->gaps();
    if (!gaps) {
      if (run_.damage.empty()) run_.damage = gaps.error().message;
      return ok();
    }
    for (const v1::RecordingGap& gap : *gaps) {
      if (topics.contains(gap.topic())) recording::count_lost(gap, run_.lost);
    }
    return ok();
  }

  RecordedRun run_;
  std::map<std::uint64_t, std::vector<v1::RuleEvent>> events_;  // Keyed by the evaluation's number.
};

}  // namespace

Result<RecordedRun> read_recorded_run(const std::filesystem::path& file) {
  auto opened = RecordingReader::open(file);
  if (!opened) return Error{Code::kInvalidArgument, opened.error().message};
  return RunReader(*std::move(opened)).read();
}

Result<v1::ImageFact> read_picture(const RecordedRun& run, const std::string& hash) {
  const Error missing{Code::kNotFound, "the recording has no picture " + quote_foreign(hash, 80)};
  const auto time = run.pictures.find(hash);
  if (time == run.pictures.end()) return missing;
  std::optional<v1::ImageFact> found;
  const auto read = run.recording->facts(
      {.from_ns = time->second, .to_ns = time->second, .topics = {bus::topic_name<v1::ImageFact>()}},
      [&](const RecordingReader::Fact& fact) -> Result<void> {
        if (const auto* image = fact.as<v1::ImageFact>(); image->image_hash() == hash) found = *image;
        return ok();
      });
  if (!found) return read ? missing : read.error();
  if (to_hex(blake2b(found->data(), kDigestBytes)) != hash) {
    return Error{Code::kDataLoss, "the recorded picture " + quote_foreign(hash, 80) + " does not have this hash"};
  }
  return *std::move(found);
}

}  // namespace da::planner::rules
