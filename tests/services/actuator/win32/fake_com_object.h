// A COM object for tests, with one interface: counts its references, and deletes itself with the last one. `alive`
// counts the objects of the interface. Any thread.
#pragma once

#include <windows.h>

#include <atomic>

namespace da::actuator {

template <class Interface>
class FakeComObject : public Interface {
 public:
  inline static std::atomic<int> alive = 0;

  FakeComObject() { ++alive; }
  FakeComObject(const FakeComObject&) = delete;
  FakeComObject& operator=(const FakeComObject&) = delete;
  virtual ~FakeComObject() { --alive; }

  HRESULT STDMETHODCALLTYPE QueryInterface(REFIID, void** object) override {
    *object = nullptr;
    return E_NOINTERFACE;
  }
  ULONG STDMETHODCALLTYPE AddRef() override { return static_cast<ULONG>(++references_); }
  ULONG STDMETHODCALLTYPE Release() override {
    const int left = --references_;
    if (left == 0) delete this;
    return static_cast<ULONG>(left);
  }

 private:
  std::atomic<int> references_ = 1;
};

}  // namespace da::actuator
