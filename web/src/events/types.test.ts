import { expect, it } from "vitest";
import { FAMILIES, fits, listOfTypes, typesText, typeText } from "./types";

it("names every type that it knows", () => {
  const names = FAMILIES.flatMap(({ types }) => types).map(typeText);
  expect(names.filter((name) => name.includes("."))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
  expect(typeText("chat.run.created")).toBe("Answer requested");
});

it("shows an unknown type as it is", () => {
  expect(typeText("chat.run.paused")).toBe("chat.run.paused");
  expect(typesText(["login.ended", "chat.*"])).toBe("login ended, chat.*");
  expect(listOfTypes(["login.ended", "chat.run.*", "token.revoked"])).toBe("Login ended, all of “Answers”, API token revoked");
});

it("knows which types a pattern stands for", () => {
  expect(fits(["chat.run.*"], "chat.run.failed")).toBe(true);
  expect(fits(["chat.run.*", "login.ended"], "login.ended")).toBe(true);
  expect(fits(["automation.*"], "automation.run.missed")).toBe(true);
  expect(fits(["chat.run"], "chat.run.failed")).toBe(false);
  expect(fits(["chat.r*"], "chat.run.failed")).toBe(false);
});
