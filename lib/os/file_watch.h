// Reports writes, replacements and removals of a file. Watches its directory, because editors rename files into place.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <thread>

#include "lib/base/result.h"
#include "lib/os/pipe.h"

namespace da::os {

class FileWatch {
 public:
  // The reader's result: it has read the file, or wants to retry soon.
  enum class Read { kDone, kAgain };
  using Changed = std::function<Read()>;

  // Runs `changed` on its own thread: at the start (the file may have changed), after each change, every 50 ms if
  // kAgain.
  static Result<std::unique_ptr<FileWatch>> open(const std::filesystem::path& file, Changed changed);
  ~FileWatch();
  FileWatch(const FileWatch&) = delete;
  FileWatch& operator=(const FileWatch&) = delete;

 private:
  FileWatch(std::string name, UniqueFd inotify, Pipe stop, Changed changed);
  void watch();
  bool read_events();

  const std::string name_;
  const UniqueFd inotify_;
  Pipe stop_;
  const Changed changed_;
  std::thread thread_;
};

}  // namespace da::os
