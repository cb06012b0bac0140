#include "lib/os/files/file_watch.h"

#include <poll.h>
#include <sys/inotify.h>

#include <cerrno>
#include <thread>

#include "lib/os/process/pipe.h"

namespace da::os {
namespace {

constexpr std::uint32_t kEvents = IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE;
constexpr int kAgainAfter = 50;  // Milliseconds.

class InotifyFileWatch final : public FileWatch {
 public:
  InotifyFileWatch(std::string name, UniqueFd inotify, Pipe stop, Changed changed)
      : name_(std::move(name)),
        inotify_(std::move(inotify)),
        stop_(std::move(stop)),
        changed_(std::move(changed)),
        thread_([this, read = changed_()] { watch(read); }) {}
  ~InotifyFileWatch() override {
    stop_.writer.reset();
    thread_.join();
  }

 private:
  void watch(Read read);
  bool read_events();

  const std::string name_;
  const UniqueFd inotify_;
  Pipe stop_;
  const Changed changed_;
  std::thread thread_;
};

void InotifyFileWatch::watch(Read read) {
  pollfd polled[] = {{stop_.reader.get(), POLLIN, 0}, {inotify_.get(), POLLIN, 0}};
  for (;;) {
    if (::poll(polled, 2, read == Read::kAgain ? kAgainAfter : -1) < 0 && errno != EINTR) return;
    if (polled[0].revents != 0) return;
    const bool changed = polled[1].revents != 0 && read_events();
    if (changed || read == Read::kAgain) read = changed_();
  }
}

// Reads all pending events, so that a burst counts as one change. Returns whether the file is among them.
bool InotifyFileWatch::read_events() {
  alignas(inotify_event) char buffer[4096];
  bool ours = false;
  for (ssize_t got = 0; (got = ::read(inotify_.get(), buffer, sizeof buffer)) > 0;) {
    for (const char* at = buffer; at < buffer + got;) {
      const auto* event = reinterpret_cast<const inotify_event*>(at);
      const bool lost = (event->mask & IN_Q_OVERFLOW) != 0;
      ours = ours || lost || (event->len > 0 && name_ == event->name);
      at += sizeof(inotify_event) + event->len;
    }
  }
  return ours;
}

}  // namespace

Result<std::unique_ptr<FileWatch>> FileWatch::open(const std::filesystem::path& file, Changed changed) {
  UniqueFd inotify(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
  if (!inotify) return posix_error("watch " + file.string(), errno);
  const std::string directory = file.has_parent_path() ? file.parent_path().string() : ".";
  if (::inotify_add_watch(inotify.get(), directory.c_str(), kEvents) < 0) {
    return posix_error("watch " + file.string(), errno);
  }
  ASSIGN_OR_RETURN(Pipe stop, make_pipe());
  return std::unique_ptr<FileWatch>(
      new InotifyFileWatch(file.filename().string(), std::move(inotify), std::move(stop), std::move(changed)));
}

}  // namespace da::os
