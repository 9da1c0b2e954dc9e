"""Finds changes between two OpenAPI documents that could break a client of /v1.

Clients send requests and read responses according to the old document; they ignore unknown fields. So
responses may gain fields, events and values, and requests may gain optional parts; nothing may be removed or
become required, and no type may change or become narrower."""


def breaking(old, new):
    """A sentence for each breaking change; an empty list if there is none."""
    found = []
    for path, operations in old["paths"].items():
        if not path.startswith("/v1/"):
            continue
        for method, before in operations.items():
            where = f"{method.upper()} {path}"
            after = new["paths"].get(path, {}).get(method)
            if after is None:
                found.append(f"{where}: is gone")
            else:
                found += _Comparison(old, new).operations(where, before, after)
    return found


def _types(schema):
    types = schema.get("type", [])
    return set([types] if isinstance(types, str) else types)


def _values(schema):
    return set(map(str, schema["enum"])) if "enum" in schema else None


class _Comparison:
    def __init__(self, old, new):
        self._documents = (old, new)
        self._under_way = set()

    def _target(self, which, place):
        """The target of a reference; anything else unchanged."""
        while "$ref" in place:
            target = self._documents[which]
            for part in place["$ref"].removeprefix("#/").split("/"):
                target = target[part.replace("~1", "/").replace("~0", "~")]
            place = target
        return dict(place)

    def _resolved(self, which, schema):
        schema = self._target(which, schema)
        # Something or null: as a type of two.
        for key in ("oneOf", "anyOf"):
            others = [each for each in schema.get(key, []) if each != {"type": "null"}]
            if len(others) == 1:
                inner = self._resolved(which, others[0])
                schema = {**inner, "type": sorted(_types(inner) | {"null"})}
        return schema

    def operations(self, where, before, after):
        found = []
        if before["operationId"] != after["operationId"]:
            found.append(f"{where}: operationId was {before['operationId']}")
        found += self._parameters(where, before, after)
        found += self._scopes(where, before, after)
        found += self._bodies(f"{where}: body", before.get("requestBody"), after.get("requestBody"))
        for status, answer in before["responses"].items():
            if not status.startswith("2"):
                continue
            if status not in after["responses"]:
                found.append(f"{where}: answer {status} is gone")
                continue
            answer, now = self._target(0, answer), self._target(1, after["responses"][status])
            for name in answer.get("headers", {}):
                if name not in now.get("headers", {}):
                    found.append(f"{where}: {status}: header field {name} is gone")
            found += self._contents(f"{where}: {status}", answer, now, sent_to_us=False)
        return found

    def _parameters(self, where, before, after):
        def by_name(operation):
            return {(each["in"], each["name"]): each for each in operation.get("parameters", [])}
        found = []
        was, now = by_name(before), by_name(after)
        for key, parameter in was.items():
            name = f"{where}: parameter {key[1]}"
            if key not in now:
                found.append(f"{name} is gone")
            else:
                found += self.schemas(name, parameter["schema"], now[key]["schema"], True)
                if now[key].get("required") and not parameter.get("required"):
                    found.append(f"{name} is required now")
        for key in now.keys() - was.keys():
            if now[key].get("required"):
                found.append(f"{where}: parameter {key[1]} is new and required")
        return found

    def _scopes(self, where, before, after):
        was, now = before.get("security", []), after.get("security", [])
        return [f"{where}: needs {now}, needed {was}"] if now != was else []

    def _bodies(self, where, before, after):
        if before is None:
            return [f"{where} is new and required"] if after and after.get("required") else []
        if after is None:
            return [f"{where} is gone"]
        return self._contents(where, before, after, sent_to_us=True)

    def _contents(self, where, before, after, sent_to_us):
        found = []
        for media_type, content in before.get("content", {}).items():
            now = after.get("content", {}).get(media_type)
            if now is None:
                found.append(f"{where}: {media_type} is gone")
            else:
                found += self.schemas(where, content["schema"], now["schema"], sent_to_us)
        return found

    def schemas(self, where, before, after, sent_to_us):
        refs = (before.get("$ref"), after.get("$ref"), sent_to_us)
        if refs[0] and refs in self._under_way:
            return []
        self._under_way.add(refs)
        was, now = self._resolved(0, before), self._resolved(1, after)
        found = self._kinds(where, was, now, sent_to_us)
        found += self._fields(where, was, now, sent_to_us)
        for inside in ("items", "additionalProperties", "contentSchema"):
            if isinstance(was.get(inside), dict):
                if isinstance(now.get(inside), dict):
                    found += self.schemas(f"{where}[]", was[inside], now[inside], sent_to_us)
                elif now.get(inside) is False:
                    found.append(f"{where}: takes no more of its own")
        found += self._choices(where, was, now, sent_to_us)
        return found

    def _choices(self, where, was, now, sent_to_us):
        """For events and other alternatives: each old one still exists."""
        def names(schema):
            return {each.get("$ref", str(i)): each for i, each in enumerate(schema.get("oneOf", []))}
        found = []
        for name, choice in names(was).items():
            if name in names(now):
                found += self.schemas(f"{where}({name.split('/')[-1]})", choice, names(now)[name],
                                      sent_to_us)
            else:
                found.append(f"{where}: {name.split('/')[-1]} is gone")
        return found

    def _kinds(self, where, was, now, sent_to_us):
        found = []
        gone, new = _types(was) - _types(now), _types(now) - _types(was)
        if _types(was) and (gone if sent_to_us else new):
            found.append(f"{where}: type was {sorted(_types(was))}, is {sorted(_types(now))}")
        elif _types(was) and not sent_to_us and gone - {"null"}:
            found.append(f"{where}: type was {sorted(_types(was))}, is {sorted(_types(now))}")
        if was.get("format") != now.get("format"):
            found.append(f"{where}: format was {was.get('format')}, is {now.get('format')}")
        values = _values(was), _values(now)
        if values[0] is not None and values[1] is not None and values[0] - values[1]:
            found.append(f"{where}: no longer {sorted(values[0] - values[1])}")
        if sent_to_us and values[0] is None and values[1] is not None:
            found.append(f"{where}: only some values now")
        if sent_to_us:
            found += self._bounds(where, was, now)
        return found

    def _bounds(self, where, was, now):
        found = []
        for low in ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"):
            if low in now and now[low] > was.get(low, float("-inf")):
                found.append(f"{where}: {low} was {was.get(low)}, is {now[low]}")
        for high in ("maximum", "maxLength", "maxItems", "maxProperties"):
            if high in now and now[high] < was.get(high, float("inf")):
                found.append(f"{where}: {high} was {was.get(high)}, is {now[high]}")
        return found

    def _fields(self, where, was, now, sent_to_us):
        found = []
        properties = now.get("properties", {})
        for name, field in was.get("properties", {}).items():
            if name in properties:
                found += self.schemas(f"{where}.{name}", field, properties[name], sent_to_us)
            else:
                found.append(f"{where}.{name} is gone")
        required = set(was.get("required", [])), set(now.get("required", []))
        if sent_to_us:
            found += [f"{where}.{name} is required now" for name in sorted(required[1] - required[0])]
        else:
            found += [f"{where}.{name} may be missing now"
                      for name in sorted(required[0] - required[1]) if name in properties]
        return found
