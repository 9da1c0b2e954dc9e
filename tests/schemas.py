"""Random JSON Schemas of the subset that answers can have, values that fit them or nearly do, and the judge jsonschema."""
import datetime
import json
import random
import uuid

import jsonschema

SCALARS = [None, True, False, 0, 1, 1.0, 1.5, -7, "", "red", "1", [], ["a"], {}]
LETTERS = "abz 09é東😀\"\\\n"
FORMATS = jsonschema.FormatChecker(formats=())


# They are asked about values of all types.
@FORMATS.checks("date", raises=ValueError)
def is_date(value):
    return not isinstance(value, str) or bool(datetime.date.fromisoformat(value))


@FORMATS.checks("uuid", raises=ValueError)
def is_uuid(value):
    return not isinstance(value, str) or bool(uuid.UUID(value))


def judge(schema):
    return jsonschema.Draft202012Validator(schema, format_checker=FORMATS)


def check(text, schema):
    """The value of an answer, which is compact and valid."""
    value = json.loads(text)
    judge(schema).validate(value)
    assert json.dumps(value, ensure_ascii=False, separators=(",", ":")) == text or "." in text, text
    return value


class Schemas:
    """Random schemas."""

    def __init__(self, seed):
        self.chance = random.Random(seed)

    def any_kind(self, levels):
        kinds = [self.text, self.integer, self.choice, lambda _: {"type": "boolean"},
                 lambda _: {"type": ["number", "null"]}]
        if levels > 0:
            kinds += [self.object, self.object, self.array, self.either]
        return self.chance.choice(kinds)(levels)

    def text(self, _):
        if self.chance.random() < 0.3:
            return {"type": "string", "format": self.chance.choice(["date", "uuid"])}
        least = self.chance.randrange(4)
        return {"type": "string", "minLength": least, "maxLength": least + self.chance.randrange(12)}

    def integer(self, _):
        low, high = sorted(self.chance.randrange(-500, 100_000) for _ in range(2))
        return {"type": "integer", "minimum": low, "exclusiveMaximum": high + 1}

    def choice(self, _):
        return {"enum": self.chance.sample(["red", "rose", "röd", 1, 12, None, True, ["a"]], 3)}

    def array(self, levels):
        least = self.chance.randrange(3)
        return {"type": "array", "items": self.any_kind(levels - 1), "minItems": least,
                "maxItems": least + self.chance.randrange(3)}

    def object(self, levels):
        properties = {name: self.any_kind(levels - 1)
                      for name in self.chance.sample("abcdefgh", self.chance.randrange(1, 5))}
        required = [name for name in properties if self.chance.random() < 0.7]
        return {"type": "object", "properties": properties, "required": required,
                "additionalProperties": False}

    def either(self, levels):
        return {"anyOf": [self.any_kind(levels - 1), self.any_kind(levels - 1)]}


class Values:
    """Values that fit a schema of Schemas, but for a place here and there: `wrong` says how often."""

    def __init__(self, seed, wrong=0.06):
        self.chance, self.wrong = random.Random(seed), wrong

    def of(self, schema):
        if self.chance.random() < self.wrong:
            return self.chance.choice(SCALARS)
        if "enum" in schema:
            return self.chance.choice(schema["enum"])
        if "anyOf" in schema:
            return self.of(self.chance.choice(schema["anyOf"]))
        kind = schema["type"]
        return getattr(self, "_" + (kind if isinstance(kind, str) else self.chance.choice(kind)))(schema)

    def _beside(self, low, high):
        """Seldom just outside of a range."""
        return self.chance.randint(low, high) + self.chance.choice([0] * 30 + [-1, 1])

    def _string(self, schema):
        if schema.get("format") == "date":
            return "%04d-%02d-%02d" % tuple(self.chance.randint(1, most) for most in (9999, 12, 29))
        if schema.get("format") == "uuid":
            text = str(uuid.UUID(int=self.chance.getrandbits(128)))
            return self.chance.choice([text, text.upper()])
        size = self._beside(schema["minLength"], schema["maxLength"])
        return "".join(self.chance.choice(LETTERS) for _ in range(size))

    def _integer(self, schema):
        number = self._beside(schema["minimum"], schema["exclusiveMaximum"] - 1)
        return self.chance.choice([number] * 9 + [float(number)])

    def _boolean(self, _):
        return self.chance.random() < 0.5

    def _null(self, _):
        return None

    def _number(self, _):
        return self.chance.choice([self.chance.randrange(-99, 99), self.chance.uniform(-1e6, 1e6)])

    def _array(self, schema):
        return [self.of(schema["items"]) for _ in range(self._beside(schema["minItems"], schema["maxItems"]))]

    def _object(self, schema):
        value = {name: self.of(each) for name, each in schema["properties"].items()
                 if self.chance.random() < (0.98 if name in schema["required"] else 0.6)}
        return value | ({"more": 1} if self.chance.random() < 0.02 else {})
