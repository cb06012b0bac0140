#include <sys/eventfd.h>

#include <cerrno>

#include "lib/os/network/wake_up.h"
#include "lib/os/unique_fd.h"

namespace da::os {
namespace {

class EventFdWakeUp final : public WakeUp {
 public:
  explicit EventFdWakeUp(UniqueFd fd) : fd_(std::move(fd)) {}
  void notify() override { ::eventfd_write(fd_.get(), 1); }
  void clear() override {
    eventfd_t ignored = 0;
    ::eventfd_read(fd_.get(), &ignored);
  }
  std::intptr_t descriptor() const override { return fd_.get(); }

 private:
  const UniqueFd fd_;
};

}  // namespace

Result<std::unique_ptr<WakeUp>> WakeUp::open() {
  UniqueFd fd(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!fd) return posix_error("make an eventfd", errno);
  return std::unique_ptr<WakeUp>(std::make_unique<EventFdWakeUp>(std::move(fd)));
}

}  // namespace da::os
