#include "services/actuator/privacy/wiped_text.h"

#include <sodium.h>

namespace da::actuator {

void wipe(void* memory, std::size_t bytes) { sodium_memzero(memory, bytes); }

}  // namespace da::actuator
