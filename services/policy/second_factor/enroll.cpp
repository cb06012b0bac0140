#include "services/policy/second_factor/enroll.h"

#include <qrencode.h>
#include <sodium.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>
#include <memory>

#include "lib/base/text.h"
#include "lib/os/files/files.h"
#include "lib/os/process/local_person.h"
#include "services/policy/second_factor/second_factor.h"

namespace da::policy {
namespace {

constexpr int kEnrolled = 0;
constexpr int kNotEnrolled = 1;
constexpr int kBadUsage = 2;
constexpr int kQuietZone = 4;  // Modules around the code, as ISO/IEC 18004 asks.
constexpr int kTries = 3;

struct FreeCode {
  void operator()(QRcode* code) const { QRcode_free(code); }
};

// Each line shows two rows of modules. The colors are set, so that dark and light terminals show dark on light.
std::string drawn(const QRcode& code) {
  const auto is_light = [&](int x, int y) {
    const bool inside = x >= 0 && y >= 0 && x < code.width && y < code.width;
    return !inside || (code.data[y * code.width + x] & 1) == 0;
  };
  std::string text;
  for (int y = -kQuietZone; y < code.width + kQuietZone; y += 2) {
    text += "  \033[97;40m";
    for (int x = -kQuietZone; x < code.width + kQuietZone; ++x) {
      const bool above = is_light(x, y);
      const bool below = is_light(x, y + 1);
      text += above && below ? "█" : above ? "▀" : below ? "▄" : " ";
    }
    text += "\033[0m\n";
  }
  return text;
}

void show_secret(const TotpSecret& secret, const std::string& person) {
  const std::string uri = secret.uri(person);
  const std::unique_ptr<QRcode, FreeCode> code(QRcode_encodeString(uri.c_str(), 0, QR_ECLEVEL_M, QR_MODE_8, 1));
  std::cout << "Scan this with an authenticator application, or type the secret into it:\n\n";
  if (code) std::cout << drawn(*code) << "\n";
  std::cout << "  " << uri << "\n\nAnybody who sees this can approve as you: close this terminal when you are done.\n";
}

int refuse(const std::string& why) {
  std::cerr << "da-policy: " << why << "\n";
  return kNotEnrolled;
}

int enroll(const std::filesystem::path& directory, const std::string& person, bool replace) {
  const TotpSecret secret = TotpSecret::random();
  show_secret(secret, person);
  std::string code;
  for (int tried = 0; tried < kTries; ++tried) {
    std::cout << "The code that it shows now: " << std::flush;
    if (!std::getline(std::cin, code)) return refuse("no code was given, so nothing was stored");
    if (!secret.step_of(trim(code), system_clock().wall_now())) {
      std::cout << "The code does not match this secret; are both clocks correct?\n";
      continue;
    }
    SecondFactor factor(directory, system_clock());
    if (const auto stored = factor.enroll(person, secret, replace); !stored) return refuse(stored.error().message);
    // Uses up the code, which must work only once.
    if (const auto used = factor.check(person, code); !used) return refuse("enrolled, but: " + used.error().message);
    std::cout << "Enrolled " << person << ". Critical steps now ask for a code: da-console approve ID --code CODE\n";
    return kEnrolled;
  }
  return refuse("three wrong codes, so nothing was stored");
}

}  // namespace

int run_enroll(int argc, char** argv) {
  CLI::App app("Gives a person a second factor: a one-time code for each critical approval.", "da-console enroll");
  std::string person = os::local_person();
  std::filesystem::path directory = os::state_directory() / "policy" / "second-factor";
  bool replace = false;
  app.add_option("--as", person, "the person, as approvals name the approver")->capture_default_str();
  app.add_option("--directory", directory, "the directory of secrets (the policy's setting policy.second_factor)")
      ->capture_default_str();
  app.add_flag("--replace", replace, "revoke the person's old secret");
  app.footer("Run it where the policy runs, as its user. Exit codes: 0 enrolled, 1 not enrolled, 2 bad usage.");
  try {
    app.parse(argc - 1, argv + 1);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kEnrolled : kBadUsage;
  }
  if (sodium_init() < 0) return refuse("cannot initialise libsodium: no source of random bytes");
  const auto is_enrolled = os::exists(directory / (person + ".totp"));
  if (!is_enrolled) return refuse(is_enrolled.error().message);
  if (*is_enrolled && !replace) {
    return refuse(escape_foreign(person, 60) + " is already enrolled; --replace revokes the old secret");
  }
  return enroll(directory, person, replace);
}

}  // namespace da::policy
