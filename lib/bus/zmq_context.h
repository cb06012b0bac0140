// The process's only ZeroMQ context. Only lib/bus's .cpp files include this.
#pragma once

#include <zmq.hpp>

namespace da::bus {

zmq::context_t& zmq_context();

}  // namespace da::bus
