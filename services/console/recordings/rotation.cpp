#include "services/console/recordings/rotation.h"

#include "lib/bus/topics.h"
#include "lib/recording/lost_facts.h"
#include "lib/recording/schema.h"

namespace da::console {
namespace {

constexpr Milliseconds kSyncEvery{1'000};

}  // namespace

Result<Rotation> Rotation::create(const std::filesystem::path& file, Limits limits, const Clock& clock) {
  Rotation rotation(file, limits, clock);
  RETURN_IF_ERROR(rotation.open_next());
  return rotation;
}

Result<void> Rotation::open_next() {
  ++number_;
  std::filesystem::path path = first_;
  if (number_ > 1) {
    path.replace_filename(first_.stem().string() + "-" + std::to_string(number_) + first_.extension().string());
  }
  ASSIGN_OR_RETURN(file_, recording::RecordingFile::create(path, {{"part", std::to_string(number_)}}));
  files_.push_back(path);
  began_ = synced_ = clock_->now();
  return file_->attach("contract.fds", "application/x-protobuf", recording::whole_files_of(bus::all_facts()),
                       clock_->wall_now());
}

Result<void> Rotation::add(const recording::RecordedFact& fact) {
  RETURN_IF_ERROR(rotate_if_due());
  ++facts_;
  return file_->add(fact, clock_->wall_now());
}

Result<void> Rotation::add(const v1::RecordingGap& gap) {
  RETURN_IF_ERROR(rotate_if_due());
  recording::count_lost(gap, lost_[gap.topic()]);
  return file_->add(gap, clock_->wall_now());
}

Result<void> Rotation::rotate_if_due() {
  const bool too_large = limits_.bytes > 0 && file_->bytes_written() >= limits_.bytes;
  const bool too_old = limits_.age.count() > 0 && clock_->now() - began_ >= limits_.age;
  if (!too_large && !too_old) return ok();
  RETURN_IF_ERROR(finish("continued in the next file"));
  bytes_ += file_->bytes_written();
  RETURN_IF_ERROR(open_next());
  while (limits_.files > 0 && files_.size() > limits_.files) {
    std::error_code error;
    std::filesystem::remove(files_.front(), error);
    if (error) return Error{Code::kUnknown, "delete " + files_.front().string() + ": " + error.message()};
    files_.pop_front();
  }
  return ok();
}

Result<void> Rotation::sync_if_due() {
  if (clock_->now() - synced_ < kSyncEvery) return ok();
  synced_ = clock_->now();
  return file_->sync();
}

Result<void> Rotation::finish(const std::string& why) {
  return file_->finish(
      {{"cut", why}, {"seconds", std::to_string(std::chrono::duration<double>(clock_->now() - began_).count())}});
}

}  // namespace da::console
