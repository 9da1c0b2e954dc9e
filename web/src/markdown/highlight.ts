// Colours for code. Loaded when the first block of code is shown.
import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import cpp from "highlight.js/lib/languages/cpp";
import css from "highlight.js/lib/languages/css";
import diff from "highlight.js/lib/languages/diff";
import go from "highlight.js/lib/languages/go";
import ini from "highlight.js/lib/languages/ini";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import markdown from "highlight.js/lib/languages/markdown";
import python from "highlight.js/lib/languages/python";
import rust from "highlight.js/lib/languages/rust";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";
import { sanitise } from "./render";

const LANGUAGES = { bash, cpp, css, diff, go, ini, java, javascript, json, markdown, python, rust, sql, typescript, xml, yaml };
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);
hljs.registerAliases(["toml", "conf"], { languageName: "ini" });
hljs.registerAliases(["c", "h", "hpp"], { languageName: "cpp" });
hljs.registerAliases(["shell", "console", "zsh"], { languageName: "bash" });

export function highlighted(code: string, language: string): DocumentFragment | undefined {
  if (!hljs.getLanguage(language)) return undefined;
  return sanitise(hljs.highlight(code, { language, ignoreIllegals: true }).value);
}
