// Owns one reference of a COM object. Objects of UI Automation and of DXGI belong to no single thread's apartment: any
// thread may use and release them.
#pragma once

#include <utility>

namespace da::actuator::win32 {

template <class T>
class ComPtr {
 public:
  ComPtr() = default;
  // Takes over the reference.
  explicit ComPtr(T* object) : object_(object) {}
  ComPtr(const ComPtr& other) : object_(other.object_) {
    if (object_ != nullptr) object_->AddRef();
  }
  ComPtr(ComPtr&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  ComPtr& operator=(ComPtr other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~ComPtr() {
    if (object_ != nullptr) object_->Release();
  }

  T* get() const { return object_; }
  T* operator->() const { return object_; }
  explicit operator bool() const { return object_ != nullptr; }
  // Out parameter for a method that returns a new reference. Call it only while this is empty.
  T** receive() { return &object_; }

 private:
  T* object_ = nullptr;
};

}  // namespace da::actuator::win32
