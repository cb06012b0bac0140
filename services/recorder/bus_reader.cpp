#include "services/recorder/bus_reader.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <thread>

#include "da/v1/history.pb.h"
#include "lib/recording/lost_facts.h"

namespace da::recorder {
namespace {

constexpr Milliseconds kTurn{50};
// What is on its way when the recorder is stopped.
constexpr Milliseconds kLastFacts{20};
constexpr std::chrono::milliseconds kAfterError{50};

}  // namespace

BusReader::BusReader(std::unique_ptr<bus::Source> source, recording::PublishedFacts& published, FactQueue& queue,
                     const Clock& clock)
    : clock_(clock),
      queue_(queue),
      intake_(std::move(source), published,
              {.fact = [this](recording::RecordedFact fact) { take(std::move(fact)); },
               .gap =
                   [this](v1::RecordingGap gap) {
                     std::uint64_t lost = lost_;  // Only this thread writes it.
                     recording::count_lost(gap, lost);
                     lost_ = lost;
                     queue_.push({std::move(gap), clock_.wall_now()});
                   }}) {}

Result<void> BusReader::begin(MonoTime deadline) { return intake_.begin(deadline); }

void BusReader::run(const std::stop_token& stop) {
  pthread_setname_np(pthread_self(), "bus");
  while (!stop.stop_requested()) {
    if (const auto read = intake_.read(clock_.now() + kTurn); !read) {
      spdlog::error("{}", read.error().message);
      std::this_thread::sleep_for(kAfterError);
    }
    if (catch_up_.exchange(false)) intake_.catch_up();
    note_open_tasks();
    pass_on_ends();
  }
  while (intake_.read(clock_.now() + kLastFacts).value_or(false)) {
  }
  intake_.catch_up();
  pass_on_ends();
  queue_.close();
}

void BusReader::take(recording::RecordedFact fact) {
  ends_.note(fact, clock_.now());
  if (fact.type == v1::TaskOpened::descriptor()) {
    const std::lock_guard hold(mutex_);
    seen_.insert(fact.header.task_id());
  }
  queue_.push({std::move(fact), clock_.wall_now()});
}

void BusReader::note_open_tasks() {
  std::optional<std::set<std::string>> open;
  {
    const std::lock_guard hold(mutex_);
    open = std::exchange(open_, std::nullopt);
  }
  if (open) ends_.note_open(*open, clock_.now());
}

void BusReader::pass_on_ends() {
  const auto over = ends_.take_over(clock_.now());
  if (over.empty()) return;
  intake_.catch_up();
  for (const TaskOver& task : over) queue_.push({task, clock_.wall_now()});
}

void BusReader::check_open_tasks(const v1::RenewRecordingReply& reply) {
  const std::lock_guard hold(mutex_);
  const std::set<std::string> open(reply.open_task_ids().begin(), reply.open_task_ids().end());
  std::erase_if(seen_, [&](const std::string& task_id) { return !open.contains(task_id); });
  if (!std::ranges::includes(seen_, open)) catch_up_ = true;
  open_ = open;
}

}  // namespace da::recorder
