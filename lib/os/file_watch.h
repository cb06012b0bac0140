// Tells when a file was written, replaced or removed, by inotify on its directory: editors replace files by renaming.
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
  // What a reader of the file made of a change: it has read it, or could not, and wants to try again soon.
  enum class Read { kDone, kAgain };
  using Changed = std::function<Read()>;

  // `changed` runs on the watch's own thread, after each change and, until it has read the file, every kAgainAfter; not
  // for a change that happened before open() returned.
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
