// An observer that publishes synthetic observations with screenshots of 300 kB through our own publisher, for tests of
// the recorder's capacity. It is started like da-observer, with its keys.
//
//   DA_FEED="TASK PER_SECOND SECONDS" recording_feed --config observer.toml
//
// Prints "fed N" at the end, and serves until it is stopped, so that facts can be fetched.
#include <cstdio>
#include <cstdlib>
#include <random>
#include <sstream>
#include <thread>

#include "da/v1/observation.pb.h"
#include "lib/base/id.h"
#include "lib/service/service.h"

namespace da {
namespace {

constexpr std::size_t kImageBytes = 300'000;
constexpr int kImages = 16;  // Different ones, in turn.

struct Plan {
  std::string task;
  int per_second = 0;
  int seconds = 0;
};

Plan read_plan() {
  Plan plan;
  const char* text = std::getenv("DA_FEED");
  std::istringstream(text == nullptr ? "" : text) >> plan.task >> plan.per_second >> plan.seconds;
  return plan;
}

std::string noise(std::uint64_t seed) {
  std::mt19937_64 numbers(seed);
  std::string text;
  while (text.size() < kImageBytes) text += to_hex(std::to_string(numbers()));
  return text;
}

void feed(const Plan& plan, bus::Publisher& bus, const std::stop_token& stop) {
  std::vector<v1::ImageFact> images(kImages);
  for (auto& image : images) {
    image.set_media_type("image/png");
    image.set_data(noise(std::random_device()()));
  }
  const auto begun = system_clock().now();
  const int all = plan.per_second * plan.seconds;
  int fed = 0;
  for (; fed < all && !stop.stop_requested(); ++fed) {
    std::this_thread::sleep_until(begun + std::chrono::microseconds(std::int64_t{1'000'000} * fed / plan.per_second));
    auto& image = images[static_cast<std::size_t>(fed % kImages)];
    image.set_image_hash(random_hex(16));
    v1::Observation observation;
    observation.set_image_hash(image.image_hash());
    bus.publish(observation, plan.task, "");
    bus.publish(image, plan.task, "");
  }
  std::printf("fed %d\n", fed);
  std::fflush(stdout);
}

Result<void> service_main(service::Context& context) {
  ASSIGN_OR_RETURN(const auto bus, context.open_publisher());
  std::jthread feeding([&](const std::stop_token& stop) { feed(read_plan(), *bus, stop); });
  return context.serve({}, [] { return service::Properties(); });
}

}  // namespace
}  // namespace da

int main(int argc, char** argv) {
  return da::service::run(argc, argv, {.name = "observer", .summary = "Publishes synthetic observations."},
                          da::service_main);
}
