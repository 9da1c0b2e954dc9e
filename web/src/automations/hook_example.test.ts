import { expect, it } from "vitest";
import { exampleOf } from "./hook_example";

it("quotes everything for the shell", () => {
  const example = exampleOf("token", "https://x.example/v1/api/hooks/hok_1?a='b'", "plh_1", { text: "it's \"$HOME\"" });
  expect(example.split("\n")).toEqual([
    "secret='plh_1'",
    "body='{\"text\":\"it'\\''s \\\"$HOME\\\"\"}'",
    "curl 'https://x.example/v1/api/hooks/hok_1?a='\\''b'\\''' \\",
    '  -H "Authorization: Bearer $secret" \\',
    "  -H 'Content-Type: application/json' -d \"$body\"",
  ]);
});
