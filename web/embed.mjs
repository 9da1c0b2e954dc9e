// Converts the built app into sources for the program: each file in every coding, and the list. node
// embed.mjs DIST OUT
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const TYPES = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

const [dist, out] = process.argv.slice(2);
mkdirSync(out, { recursive: true });

const codings = {
  plain: (bytes) => bytes,
  gzip: (bytes) => gzipSync(bytes, { level: 9 }),
  brotli: (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
};

const paths = readdirSync(dist, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => ({ name: entry.name, path: join(entry.parentPath ?? entry.path, entry.name) }))
  .sort((a, b) => (a.name < b.name ? -1 : 1));

const embeds = [];
const rows = [];
for (const [number, { name, path }] of paths.entries()) {
  const type = TYPES[extname(name)];
  if (!type) throw new Error(`${name}: no media type is known for it`);
  const bytes = readFileSync(path);
  const cells = Object.entries(codings).map(([coding, encode]) => {
    const file = `${number}.${coding}`;
    const encoded = encode(bytes);
    writeFileSync(join(out, file), encoded);
    const symbol = `parley_web_${number}_${coding}`;
    // The hash is part of the source, so that a compiler cache notices a changed file.
    embeds.push(`PARLEY_EMBED(${symbol}, PARLEY_WEB_DIRECTORY "/${file}");  // ${createHash("sha256").update(encoded).digest("hex")}`);
    return `PARLEY_EMBEDDED(${symbol})`;
  });
  rows.push(`        WebFile{"${name}", "${type}", ${cells.join(", ")}},`);
}

writeFileSync(join(out, "web_files.cpp"), `// Made by tools/web.
#include "api/web_files.hpp"

#include "base/embed.hpp"

#include <array>

${embeds.join("\n")}

namespace parley::api {

std::span<const WebFile> web_files()
{
    static const std::array all = {
${rows.join("\n")}
    };
    return all;
}

}  // namespace parley::api
`);
