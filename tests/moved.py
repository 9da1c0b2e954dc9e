"""Conversations of other programs, as their exports have them, and what a server makes of them."""
import json

import chats


def gpt_message(role, text, time=1690000000.5, **more):
    return {"author": {"role": role}, "create_time": time,
            "content": {"content_type": "text", "parts": [text]}, **more}


def gpt(nodes, **more):
    """A conversation of ChatGPT: nodes are (id, parent, message)."""
    return {"title": "A trip", "conversation_id": "c1", "create_time": 1690000000, "update_time": 1690000100,
            "mapping": {name: {"id": name, "parent": parent, "message": message, "children": []}
                        for name, parent, message in nodes}, **more}


def gpt_chain(title, count, text="text"):
    """Questions and answers in turn."""
    return gpt([(f"n{number}", f"n{number - 1}" if number else None,
                 gpt_message("assistant" if number % 2 else "user", f"{text} {number}", 1690000000 + number))
                for number in range(count)], title=title, conversation_id=title)


TRIP = gpt([("root", None, None), ("sys", "root", gpt_message("system", "")),
            ("q", "sys", gpt_message("user", "Where to?", 1690000001)),
            ("a", "q", gpt_message("assistant", "Rome", 1690000002, metadata={"model_slug": "gpt-4"})),
            ("b", "q", gpt_message("assistant", "Paris", 1690000003)),
            ("t", "b", gpt_message("tool", "weather")),
            ("c", "t", gpt_message("assistant", "It is sunny.", 1690000004)),
            ("x", "y", gpt_message("user", "cycle")), ("y", "x", gpt_message("assistant", "cycle"))],
           current_node="c", is_archived=True)

WEB = {"id": "w1", "title": "Web", "created_at": 1690000000, "updated_at": 1690000100, "archived": False, "pinned": True,
       "chat": {"history": {"currentId": "2", "messages": {
           "1": {"id": "1", "parentId": None, "role": "user", "content": "Hi", "timestamp": 1690000001},
           "2": {"id": "2", "parentId": "1", "role": "assistant", "content": "Hello", "model": "llama3"}}}}}


def imported(person, form, conversation, status=201):
    response = person.request("POST", "/import", {"format": form, "conversation": conversation})
    assert response.status == status, response.body
    return response


def branch(person, session, **query):
    return [chats.text_of(message) for message in person.messages(session, **query)]


def exported(person, query=""):
    """The lines."""
    response = person.request("GET", "/export" + query)
    assert response.status == 200, response.body
    assert response.header("content-type") == "application/x-ndjson"
    return [json.loads(line) for line in response.body.decode().splitlines()]


def conversations(lines):
    """Sessions with their messages."""
    found = []
    for line in lines:
        if line["object"] == "chat.session":
            found.append({"session": line, "messages": []})
        elif line["object"] == "chat.message":
            found[-1]["messages"].append(line)
    return found
