"""OpenAPI 3.1 describes an event stream as one text; Schemathesis checks each event if they are described as
in OpenAPI 3.2. So the description is converted before it begins."""
import os

import schemathesis

EVENT_STREAM = "text/event-stream"


def event_of(stream):
    """The schema of an event, from the schema of the stream's text."""
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
    """Calls that change the caller's own user or token would break the calls that follow. So they are applied
    to another user or token."""
    if case.method in ("PATCH", "DELETE"):
        for name, own, other in (("user", "OWN_USER", "OTHER_USER"), ("token", "OWN_TOKEN", "OTHER_TOKEN")):
            if case.path_parameters.get(name) == os.environ[own]:
                case.path_parameters[name] = os.environ[other]
