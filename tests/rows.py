"""The rows of the server's route table, from its published reference."""
import re
import typing

import wire

METHODS = ("get", "post", "put", "patch", "delete")


class Row(typing.NamedTuple):
    method: str
    path: str  # With ids that do not exist.
    needs: str  # "nothing", "any", "user", "hook" (its own secret), or a scope.
    limit_class: str | None
    takes_body: bool

    @property
    def name(self):
        return f"{self.method} {self.path}"


def _needs(operation):
    if not operation.get("security"):
        return "nothing"
    if "bearer" not in operation["security"][0]:
        return "hook"
    scopes = operation["security"][0]["bearer"]
    if scopes:
        return scopes[0]
    return "any" if "Needs any valid token." in operation["description"] else "user"


def of(server):
    with wire.Connection(server.address) as connection:
        document = connection.ask("GET", "/openapi.json").json()
    return [Row(method.upper(), re.sub(r"\{[^}]+\}", "x", path), _needs(operation),
                operation.get("x-limit-class"), "requestBody" in operation)
            for path, operations in document["paths"].items()
            for method, operation in operations.items() if method in METHODS]
