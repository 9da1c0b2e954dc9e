"""OpenAPI 3.1 tells of an event stream as of one text; Schemathesis looks at each event, where it is
told of them as OpenAPI 3.2 does. So the one is turned into the other before it begins."""
import os

import schemathesis

EVENT_STREAM = "text/event-stream"


def event_of(stream):
    """The schema of an event, from that of the text that the stream is."""
    data = {"type": "string", "contentMediaType": "application/json",
            "contentSchema": stream["contentSchema"]}
    return {"type": "object", "required": ["data"],
            "properties": {"data": {"anyOf": [data, {"const": "[DONE]"}]}}}


@schemathesis.hook
def before_load_schema(_, raw_schema):
    for operations in raw_schema["paths"].values():
        for operation in operations.values():
            for answer in operation["responses"].values():
                content = answer.get("content", {})
                if EVENT_STREAM in content:
                    stream = content[EVENT_STREAM].pop("schema")
                    content[EVENT_STREAM]["itemSchema"] = event_of(stream)


@schemathesis.hook
def before_call(_, case, kwargs):
    """Whoever calls would lose the token or limit the calls that follow. So what would change the own
    user or token is done to another one."""
    if case.method in ("PATCH", "DELETE"):
        for name, own, other in (("user", "OWN_USER", "OTHER_USER"), ("token", "OWN_TOKEN", "OTHER_TOKEN")):
            if case.path_parameters.get(name) == os.environ[own]:
                case.path_parameters[name] = os.environ[other]
