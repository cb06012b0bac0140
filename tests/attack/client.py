"""A foreign client of one service: grpcio, with the messages that protoc generates from proto/. Reads calls from its
standard input and answers each when it has ended, both as JSON lines. Calls run at the same time.

    client.py SERVICE HOST PORT IDENTITY PEERS MESSAGES
    {"call": 1, "method": "Policy/OpenTask", "request": {"goal": "anything"}}
    {"call": 1, "code": "OK", "message": "", "reply": {"task_id": "...", "task_token": "..."}}

IDENTITY and PEERS are the TOML files of the caller's role from da-console init; MESSAGES is protoc's output directory.
Runs with Debian's Python.
"""

import importlib
import json
import sys
import threading

import grpc
from google.protobuf import json_format, message_factory

from attackers import channels

service, host, port, identity, peers, messages = sys.argv[1:]
sys.path.insert(0, messages)
methods = importlib.import_module(f"da.v1.{service}_rpc_pb2").DESCRIPTOR.services_by_name[service.capitalize()]
(channel,) = channels((host, int(port)), identity, peers, service, 1)
printing = threading.Lock()


def answer(call, method, request):
    name = method.partition("/")[2]
    types = methods.methods_by_name[name]
    of = message_factory.MessageFactory().GetPrototype
    message = json_format.ParseDict(request, of(types.input_type)())
    replies = channel.unary_stream(f"/da.v1.{method}", request_serializer=type(message).SerializeToString,
                                   response_deserializer=of(types.output_type).FromString)(message)
    reply = None
    try:
        for each in replies:
            reply = json_format.MessageToDict(each, preserving_proto_field_name=True,
                                              including_default_value_fields=True)
    except grpc.RpcError:
        pass
    with printing:
        print(json.dumps({"call": call, "code": replies.code().name, "message": replies.details(), "reply": reply}),
              flush=True)


for line in sys.stdin:
    threading.Thread(target=answer, kwargs=json.loads(line), daemon=True).start()
