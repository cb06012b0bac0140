// The one ZeroMQ context of the process. Only lib/bus's .cpp files include this.
#pragma once

#include <zmq.hpp>

namespace da::bus {

zmq::context_t& zmq_context();

}  // namespace da::bus
