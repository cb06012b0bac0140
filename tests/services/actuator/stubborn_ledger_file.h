// A ledger file in memory, on a disk that a test can make hang or fill. Its content outlives the ledger. Any thread.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>

#include "services/actuator/grant/ledger_file.h"

namespace da::actuator {

class StubbornDisk {
 public:
  enum class Mood { kWorks, kHangs, kIsFull };

  void set(Mood mood) {
    const std::lock_guard lock(mutex_);
    mood_ = mood;
    changed_.notify_all();
  }
  void wait_until_a_write_hangs() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return hanging_; });
  }
  std::string content() {
    const std::lock_guard lock(mutex_);
    return content_;
  }
  std::unique_ptr<LedgerFile> file() { return std::make_unique<File>(*this); }

 private:
  class File final : public LedgerFile {
   public:
    explicit File(StubbornDisk& disk) : disk_(disk) {}
    Result<std::string> read() override { return disk_.content(); }
    Result<void> append(std::string_view record) override {
      std::unique_lock lock(disk_.mutex_);
      disk_.hanging_ = disk_.mood_ == Mood::kHangs;
      disk_.changed_.notify_all();
      disk_.changed_.wait(lock, [&] { return disk_.mood_ != Mood::kHangs; });
      disk_.hanging_ = false;
      if (disk_.mood_ == Mood::kIsFull) {
        disk_.content_ += record.substr(0, record.size() / 2);  // A full file system takes a part.
        return Error{Code::kResourceExhausted, "write the ledger: No space left on device"};
      }
      disk_.content_ += record;
      return ok();
    }
    Result<Others> replace(const Rewrite& rewrite) override {
      const std::lock_guard lock(disk_.mutex_);
      disk_.content_ = rewrite(disk_.content_);
      return Others::kNone;
    }

   private:
    StubbornDisk& disk_;
  };

  std::mutex mutex_;
  std::condition_variable changed_;
  Mood mood_ = Mood::kWorks;
  bool hanging_ = false;
  std::string content_;
};

}  // namespace da::actuator
