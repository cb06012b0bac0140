// Move-only owner of one operating-system handle: `using UniqueFd = UniqueHandle<FdTraits>`.
#pragma once

#include <utility>

namespace da::os {

template <class Traits>
class UniqueHandle {
 public:
  using Handle = typename Traits::Handle;

  UniqueHandle() = default;
  explicit UniqueHandle(Handle handle) : handle_(handle) {}
  UniqueHandle(UniqueHandle&& other) noexcept : handle_(other.release()) {}
  UniqueHandle& operator=(UniqueHandle&& other) noexcept {
    reset(other.release());
    return *this;
  }
  ~UniqueHandle() { reset(); }

  Handle get() const { return handle_; }
  explicit operator bool() const { return handle_ != Traits::kInvalid; }
  Handle release() { return std::exchange(handle_, Traits::kInvalid); }
  void reset(Handle handle = Traits::kInvalid) {
    if (handle_ != Traits::kInvalid && handle_ != handle) Traits::close(handle_);
    handle_ = handle;
  }

 private:
  Handle handle_ = Traits::kInvalid;
};

}  // namespace da::os
