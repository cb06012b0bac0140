// Asks models about pictures of regions, and remembers their answers by question and content of the region: the same
// picture is asked about once in a run. Answers are untrusted. One thread, the task's.
#pragma once

#include <deque>
#include <map>
#include <string>

#include "da/v1/analysis.pb.h"
#include "services/planner/rules/engine/analyses.h"
#include "services/planner/rules/run/model_calls.h"

namespace da::planner::rules {

// For one question with all its tries, so that a server that does not answer cannot stop the other rules for long.
inline constexpr Milliseconds kLongestQuestion{45'000};
inline constexpr std::size_t kMaxAnswerBytes = 64 << 10;

class RegionQuestions {
 public:
  // References must outlive the object.
  RegionQuestions(const Profile& profile, ModelCalls& calls) : profile_(profile), calls_(calls) {}

  // Failures of earlier cycles are forgotten: the question is asked again.
  void begin_cycle();

  v1::ImageLimits image_limits(const Question& question) const;

  // The answer about this content (RegionAnalysis.content), with boxes in pixels of the region; nullptr: not asked yet,
  // or too long ago. An Error: the model could not answer in this cycle.
  const Answer<std::string>* find(const Question& question, const std::string& content) const;
  // The newest answer of this cycle, whatever the region showed then.
  const Answer<std::string>* newest(const Question& question) const;

  // Asks, and remembers the answer. kResourceExhausted: the task's budget is used up; kCancelled. Any other failure is
  // remembered as the answer.
  Result<void> ask(const Question& question, const std::string& content, const v1::RegionPicture& picture);

 private:
  struct Key {
    std::size_t region = 0;
    std::string prompt;
    std::string model;
    auto operator<=>(const Key&) const = default;
  };
  using Contents = std::map<std::string, Answer<std::string>>;

  static Key key_of(const Question& question);
  void remember(const Key& key, const std::string& content, Answer<std::string> answer);

  const Profile& profile_;
  ModelCalls& calls_;
  std::map<Key, Contents> answers_;
  std::deque<std::pair<Key, std::string>> order_;  // Oldest first; without failures.
  std::map<Key, std::string> newest_;              // The content of the newest answer in this cycle.
};

}  // namespace da::planner::rules
