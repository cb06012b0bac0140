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
  // `changed` runs on the watch's own thread, after each change; not for one that happened before open() returned.
  static Result<std::unique_ptr<FileWatch>> open(const std::filesystem::path& file, std::function<void()> changed);
  ~FileWatch();
  FileWatch(const FileWatch&) = delete;
  FileWatch& operator=(const FileWatch&) = delete;

 private:
  FileWatch(std::string name, UniqueFd inotify, Pipe stop, std::function<void()> changed);
  void watch();
  bool read_events();

  const std::string name_;
  const UniqueFd inotify_;
  Pipe stop_;
  const std::function<void()> changed_;
  std::thread thread_;
};

}  // namespace da::os
