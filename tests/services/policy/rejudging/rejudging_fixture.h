// A policy whose facts, with the actuator's outcomes, are recorded and judged again.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "lib/recording/recording_file.h"
#include "services/policy/rejudging/rejudging.h"
#include "tests/services/policy/policy_fixture.h"

namespace da::policy::test {

using recording::RecordedFact;

struct RejudgingFixture : PolicyFixture {
  std::unique_ptr<bus::Source> source = memory->source(bus::all_topics(bus::Images::kWithout));
  bus::Publisher actuator_bus{memory->sink(), {"actuator", desktop_id}, clock};
  Rules own = *Rules::parse(kRules, "test.toml");
  std::vector<RejudgedStep> steps;

  RejudgingFixture() { open_unlocked(); }

  // Submits a step, and publishes its outcome as the actuator does.
  v1::SubmitReply act(v1::Action action, const std::string& step_id) {
    const std::size_t before = actuator.grants().size();
    auto reply = submit(std::move(action), step_id);
    if (actuator.grants().size() > before) publish_outcome(reply.outcome(), actuator.grants().back());
    return reply;
  }
  void publish_outcome(v1::Outcome outcome, const v1::GrantClaims& grant) {
    outcome.set_grant_id(grant.grant_id());
    outcome.set_step_id(grant.step_id());
    actuator_bus.publish(outcome, task_id, outcome.step_id());
  }

  std::vector<RecordedFact> facts_so_far() {
    std::vector<RecordedFact> all;
    while (true) {
      auto raw = source->receive(system_clock().now());
      if (!raw || !*raw) return all;
      if (auto fact = recording::recorded_fact(*std::move(*raw))) all.push_back(*std::move(fact));
    }
  }
  std::filesystem::path record(const std::vector<RecordedFact>& all,
                               const std::vector<v1::RecordingGap>& gaps = {}) const {
    const auto path = dir.path() / "recording.mcap";
    std::filesystem::remove(path);
    const auto file = recording::RecordingFile::create(path, {{"task", task_id}}).value();
    for (const RecordedFact& fact : all) EXPECT_TRUE(file->add(fact, clock.wall_now()));
    for (const v1::RecordingGap& gap : gaps) EXPECT_TRUE(file->add(gap, clock.wall_now()));
    EXPECT_TRUE(file->finish({}));
    return path;
  }
  Reproduction judge_again(const std::filesystem::path& path, const Rules& rules) {
    steps.clear();
    Rejudging rejudging(rules, [this](const RejudgedStep& step) { steps.push_back(step); });
    const auto read = rejudging.read(**recording::RecordingReader::open(path));
    EXPECT_TRUE(read) << read.error().message;
    return rejudging.reproduction();
  }
  Reproduction judge_again(const std::vector<RecordedFact>& all) { return judge_again(record(all), own); }
  Rules without(const std::string& rule) const {
    std::vector<Rule> rules = own.all();
    std::erase_if(rules, [&](const Rule& each) { return each.name == rule; });
    return Rules(std::move(rules));
  }
};

template <class T>
std::vector<RecordedFact> without_facts(std::vector<RecordedFact> all) {
  std::erase_if(all, [](const RecordedFact& fact) { return fact.type == T::descriptor(); });
  return all;
}

// Passes the content of each fact of this type to `change`.
template <class T, class Change>
std::vector<RecordedFact> with_changed(std::vector<RecordedFact> all, Change change) {
  for (RecordedFact& fact : all) {
    if (fact.type != T::descriptor()) continue;
    T content;
    EXPECT_TRUE(content.ParseFromString(fact.payload));
    change(content);
    fact.payload = content.SerializeAsString();
  }
  return all;
}

}  // namespace da::policy::test
