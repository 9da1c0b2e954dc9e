"""ajv, an implementation of JSON Schema in JavaScript, as a judge of answers."""
import json

import node

SCRIPT = """
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
const [packages, file] = process.argv.slice(1);
const Ajv = createRequire(packages + "/")("ajv/dist/2020").default;
const date = (text) => {
  const parsed = new Date(text + "T00:00:00Z");
  return /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text) && !isNaN(parsed) && parsed.toISOString().startsWith(text);
};
const uuid = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
console.log(JSON.stringify(JSON.parse(readFileSync(file, "utf8")).map(([schema, ...texts]) => {
  const fits = new Ajv({ strict: false, formats: { date, uuid } }).compile(schema);
  return texts.map((text) => fits(JSON.parse(text)));
})));
"""


def verdicts(folder, judged):
    """For each (schema, text, …): whether ajv takes the texts, which are JSON."""
    file = folder / "judged.json"
    file.write_text(json.dumps(judged), encoding="utf-8")
    return node.script(SCRIPT, file)
