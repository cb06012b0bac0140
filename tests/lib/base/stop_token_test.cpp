// What we rely on in the standard library's stop tokens. A compiler for Windows once lost wake-ups there
// (deploy/windows/toolchain.cmake).
#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

namespace da {
namespace {

// The thread keeps registering and removing its callback, so some requests to stop meet it while it removes one.
TEST(StopToken, ThreadThatIsAskedToStopWhileItRemovesItsCallbackEnds) {
  for (int round = 0; round < 2'000; ++round) {
    std::mutex mutex;
    std::condition_variable_any never;
    std::jthread thread([&](const std::stop_token& stop) {
      std::unique_lock hold(mutex);
      while (!stop.stop_requested()) never.wait_for(hold, stop, std::chrono::microseconds(50), [] { return false; });
    });
    thread.request_stop();
  }
}

}  // namespace
}  // namespace da
