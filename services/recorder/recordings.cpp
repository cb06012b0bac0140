#include "services/recorder/recordings.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <functional>
#include <set>

#include "da/v1/history.pb.h"
#include "da/v1/outcome.pb.h"
#include "da/v1/task.pb.h"
#include "da/v1/verdict.pb.h"
#include "lib/bus/topics.h"
#include "lib/recording/schema.h"

namespace da::recorder {
namespace {

using recording::RecordedFact;
using recording::RecordingFile;

constexpr std::uint64_t kRecordOverhead = 64;  // A message's record, and its place in the index.
constexpr std::size_t kMostComplete = 100;     // Remembered for find().

// Facts after which the disk must have everything.
bool must_not_be_lost(const RecordedFact& fact) {
  static const std::set<const google::protobuf::Descriptor*> types = {
      v1::ApprovalRequest::descriptor(), v1::ApprovalDecision::descriptor(), v1::Outcome::descriptor(),
      v1::PolicyOutcome::descriptor(), v1::TaskEnded::descriptor()};
  return types.contains(fact.type);
}

// A task's id has only these characters; one of a hostile policy must not leave the directory.
std::string file_word(std::string text) {
  const auto is_safe = [](char c) {
    return ('0' <= c && c <= '9') || ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || c == '-';
  };
  std::ranges::replace_if(text, std::not_fn(is_safe), '_');
  return text;
}

std::string size_text(std::uint64_t bytes) {
  return bytes < 1u << 20 ? std::to_string(bytes >> 10) + " kB" : std::to_string(bytes >> 20) + " MB";
}

}  // namespace

// While one exists, the disk is asked for something.
class Recordings::DiskCall {
 public:
  explicit DiskCall(Recordings& owner) : owner_(owner) {
    const std::lock_guard hold(owner_.mutex_);
    owner_.disk_call_began_ = owner_.clock_.now();
  }
  ~DiskCall() {
    const std::lock_guard hold(owner_.mutex_);
    owner_.disk_call_began_.reset();
  }

 private:
  Recordings& owner_;
};

Recordings::Recordings(Setup setup, const Clock& clock)
    : setup_(std::move(setup)), clock_(clock), next_sync_(clock.now() + kSyncEvery) {
  delete_old();
}

void Recordings::delete_old() const {
  std::set<std::filesystem::path> keep;
  for (const auto& [task_id, open] : open_) keep.insert(open.file->path());
  for (const auto& file : recording::delete_old(setup_.directory, setup_.limits, keep)) {
    spdlog::info("deleted {}, which is beyond the limits of age and size", file.string());
  }
}

Result<void> Recordings::has_room() const {
  std::error_code error;
  const auto space = std::filesystem::space(setup_.directory, error);
  if (error) return ok();  // The file itself will report why.
  const std::uint64_t needed = std::min<std::uint64_t>(kLeastFreeBytes, space.capacity / 10);
  if (space.available >= needed) return ok();
  return Error{Code::kResourceExhausted, "the disk of " + setup_.directory.string() + " is full: it has " +
                                             size_text(space.available) + " free, and a recording needs " +
                                             size_text(needed)};
}

void Recordings::add(const RecordedFact& fact, WallTime at) {
  const DiskCall call(*this);
  if (fact.type == v1::TaskOpened::descriptor()) return begin(fact, at);
  const std::string& task_id = fact.header.task_id();
  // check() removes a recording that failed.
  for (auto next = open_.begin(); next != open_.end();) {
    auto& [id, open] = *next++;
    if (task_id.empty() || id == task_id) note(std::string(id), open, fact, at);
  }
}

void Recordings::begin(const RecordedFact& opened, WallTime at) {
  const std::string task_id = opened.header.task_id();
  v1::TaskOpened fact;
  if (task_id.empty() || open_.contains(task_id) || !fact.ParseFromString(opened.payload)) return;
  if (open_.size() >= kMostOpen || known() >= kMostOpen + 2 * kMostComplete) {
    if (const auto more = refused_log_.pass(clock_.now())) {
      spdlog::error("a task is not recorded, because {} others are; so were {} before", open_.size(), *more);
    }
    return;
  }
  if (const auto room = has_room(); !room) return check(task_id, room);
  const auto path = recording::recording_path(setup_.directory, at, file_word(task_id));
  auto file = RecordingFile::create(path, {{"task", task_id},
                                           {"goal", fact.request().goal()},
                                           {"opened_by", fact.request().opened_by()},
                                           {"planner", fact.request().planner()},
                                           {"desktop", opened.header.desktop_id()}});
  if (!file) return check(task_id, file.error());
  Open& open = open_.emplace(task_id, Open{*std::move(file), WriterShares(task_bytes() / kWriterPart), clock_.now()})
                   .first->second;
  change(task_id, [&](State& state) { state.file = path; });
  auto added = open.file->add(opened, at);
  if (added) added = open.file->sync();
  if (!added) return check(task_id, added);
  change(task_id, [](State& state) { state.begun = true; });
  setup_.lease_changed();
  attach_setup(open, at);
}

void Recordings::attach_setup(Open& open, WallTime at) {
  std::string versions;
  Result<void> attached =
      open.file->attach("contract.fds", "application/x-protobuf", recording::whole_files_of(bus::all_facts()), at);
  for (const v1::ServiceDescription& service : setup_.descriptions()) {
    versions += service.service() + " " + service.version() + "\n";
    if (attached) {
      attached =
          open.file->attach("config/" + service.service() + ".toml", "application/toml", service.config_toml(), at);
    }
  }
  if (attached) attached = open.file->attach("versions.txt", "text/plain", versions, at);
  // A later call reports the same error, because a file keeps its first one.
  if (!attached) spdlog::error("{}", attached.error().message);
}

void Recordings::note(const std::string& task_id, Open& open, const RecordedFact& fact, WallTime at) {
  Result<void> added = write(task_id, open, fact, at);
  if (v1::RuleFile rules;
      added && !open.has_rules && fact.type == v1::RuleFile::descriptor() && rules.ParseFromString(fact.payload)) {
    open.has_rules = true;
    added = open.file->attach("rules.toml", "application/toml", rules.toml(), at);
  }
  if (v1::TaskEnded ended; fact.type == v1::TaskEnded::descriptor() && ended.ParseFromString(fact.payload)) {
    open.end["result"] = v1::TaskEnd_Name(ended.result().end());
    open.end["summary"] = ended.result().summary();
    open.end["steps"] = std::to_string(ended.result().steps());
  }
  if (added && open.file->bytes_written() > task_bytes()) {
    const std::string why = "it has more than " + std::to_string(task_bytes() >> 20) + " MB";
    open.end["cut"] = why;
    added = mark_left_out(open, open.shares.take_all_gaps());
    if (added) added = open.file->finish(std::move(open.end));
    if (added) added = Error{Code::kResourceExhausted, why};
  }
  if (must_not_be_lost(fact)) next_sync_ = std::min(next_sync_, clock_.now() + kSyncSoon);
  check(task_id, added);
}

Result<void> Recordings::write(const std::string& task_id, Open& open, const RecordedFact& fact, WallTime at) {
  const MonoTime now = clock_.now();
  if (!open.shares.admits(fact, now)) {
    if (const auto more = left_out_log_.pass(now)) {
      spdlog::warn("a fact of {} is left out of the recording of task {}: {} has filled its share; so were {} before",
                   bus::topic_of(*fact.type)->name(), task_id, fact.header.writer(), *more);
    }
    open.shares.leave_out(fact);
    return ok();
  }
  RETURN_IF_ERROR(mark_left_out(open, open.shares.take_gaps(bus::topic_of(*fact.type)->name())));
  open.shares.charge(fact.header.writer(), fact.payload.size() + kRecordOverhead, now);
  return open.file->add(fact, at);
}

Result<void> Recordings::mark_left_out(Open& open, const std::vector<v1::RecordingGap>& gaps) {
  for (const v1::RecordingGap& gap : gaps) RETURN_IF_ERROR(open.file->add(gap, clock_.wall_now()));
  return ok();
}

void Recordings::add(const v1::RecordingGap& gap, WallTime at) {
  if (const auto more = lost_log_.pass(clock_.now())) {
    spdlog::warn("facts {} to {} of {} are lost; {} such gaps before were not logged", gap.from(), gap.to(),
                 gap.topic(), *more);
  }
  const DiskCall call(*this);
  for (auto next = open_.begin(); next != open_.end();) {
    auto& [task_id, open] = *next++;
    if (!open.shares.admits(gap, clock_.now())) {
      open.shares.leave_out(gap);
      continue;
    }
    Result<void> added = mark_left_out(open, open.shares.take_gaps(gap.topic()));
    open.shares.charge(gap.writer(), gap.ByteSizeLong() + kRecordOverhead, clock_.now());
    if (added) added = open.file->add(gap, at);
    check(std::string(task_id), added);
  }
}

void Recordings::sync_if_due() {
  if (clock_.now() < next_sync_) return;
  {
    const DiskCall call(*this);
    for (auto next = open_.begin(); next != open_.end();) {
      auto& [task_id, open] = *next++;
      Result<void> synced = ok();
      if (clock_.now() >= open.next_marks) {
        synced = mark_left_out(open, open.shares.take_all_gaps());
        open.next_marks = clock_.now() + kMarkEvery;
      }
      if (synced) synced = open.file->sync();
      check(std::string(task_id), synced);
    }
  }
  next_sync_ = clock_.now() + kSyncEvery;
}

void Recordings::finish(const std::string& task_id, const std::string& cut) {
  const auto found = open_.find(task_id);
  if (found == open_.end()) {
    change(task_id, [](State& state) { state.complete = true; });
    return;
  }
  const DiskCall call(*this);
  Open& open = found->second;
  if (!cut.empty()) open.end.try_emplace("cut", cut);
  open.end["seconds"] = std::to_string(std::chrono::duration<double>(clock_.now() - open.began).count());
  Result<void> finished = mark_left_out(open, open.shares.take_all_gaps());
  if (finished) finished = open.file->finish(std::move(open.end));
  const std::uint64_t lost = open.file->lost();
  if (!finished) return check(task_id, finished);
  open_.erase(found);
  change(task_id, [&](State& state) {
    state.complete = true;
    state.lost = lost;
  });
  delete_old();
}

void Recordings::finish_all(const std::string& why) {
  while (!open_.empty()) {
    const std::string task_id = open_.begin()->first;
    finish(task_id, why);
    open_.erase(task_id);  // Also after an error.
  }
}

void Recordings::check(const std::string& task_id, const Result<void>& result) {
  if (result) return;
  spdlog::error("the recording of task {} ends: {}", task_id, result.error().message);
  open_.erase(task_id);
  change(task_id, [&](State& state) { state.problem = result.error().message; });
  setup_.lease_changed();
}

void Recordings::change(const std::string& task_id, const std::function<void(State&)>& change) {
  const std::lock_guard hold(mutex_);
  State& state = states_[task_id];
  const bool was_complete = state.complete;
  change(state);
  if (state.complete && !was_complete) complete_.push_back(task_id);
  if (complete_.size() > kMostComplete) {
    states_.erase(complete_.front());
    complete_.pop_front();
  }
  changed_.notify_all();
}

std::size_t Recordings::known() const {
  const std::lock_guard hold(mutex_);
  return states_.size();
}

v1::RenewRecordingRequest Recordings::lease() const {
  const std::lock_guard hold(mutex_);
  const bool slow = disk_call_began_ && clock_.now() - *disk_call_began_ > kDiskPatience;
  v1::RenewRecordingRequest lease;
  for (const auto& [task_id, state] : states_) {
    if (state.complete || (!state.begun && state.problem.empty())) continue;
    auto* recording = lease.add_recordings();
    recording->set_task_id(task_id);
    recording->set_problem(state.problem);
    if (slow && state.problem.empty()) {
      recording->set_problem("the disk of " + state.file.string() + " does not answer");
    }
  }
  return lease;
}

Result<v1::FindRecordingReply> Recordings::find(const std::string& task_id, Milliseconds max_wait) const {
  std::unique_lock hold(mutex_);
  const auto state = [&] {
    const auto found = states_.find(task_id);
    return found == states_.end() ? nullptr : &found->second;
  };
  changed_.wait_for(hold, max_wait, [&] {
    const State* found = state();
    return found == nullptr || found->complete || !found->problem.empty();
  });
  const State* found = state();
  if (found == nullptr || found->file.empty())
    return Error{Code::kNotFound, "da-recorder has no recording of this task"};
  if (!found->problem.empty()) return Error{Code::kDataLoss, found->problem};
  v1::FindRecordingReply reply;
  reply.set_file(found->file.string());
  reply.set_complete(found->complete);
  reply.set_lost(found->lost);
  return reply;
}

}  // namespace da::recorder
