import { beforeEach, expect, test, vi } from "vitest";

const page = vi.hoisted(() => {
  const kept = new Map<string, string>();
  const stubs = {
    kept,
    replaced: [] as string[],
    went: [] as string[],
    location: { search: "", pathname: "/chat/", hash: "", assign: (url: string) => void stubs.went.push(url) },
  };
  Object.assign(globalThis, {
    location: stubs.location,
    history: { replaceState: (_: unknown, __: string, url: string) => void stubs.replaced.push(url) },
    sessionStorage: {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
      removeItem: (key: string) => void kept.delete(key),
    },
  });
  return stubs;
});
const login = vi.hoisted(() => ({ clientToken: async () => "plc_1", label: () => "Firefox", replaceLogin: vi.fn() }));
const auth = vi.hoisted(() => ({ beginAtProvider: vi.fn(), finishAtProvider: vi.fn() }));
vi.mock("./login", () => login);
vi.mock("../api/calls", () => ({ auth }));

import { arrivalError, arrive, arriving, goToProvider, refusedByProvider, returnedIn } from "./provider";

beforeEach(() => {
  vi.clearAllMocks();
  page.kept.clear();
  page.replaced.length = 0;
  arrivalError.value = refusedByProvider.value = null;
});

test("parameters that a provider adds to the address", () => {
  expect(returnedIn("?code=c%2B1&state=s")).toEqual({ code: "c+1", state: "s", iss: null });
  expect(returnedIn("?code=c&state=s&iss=https%3A%2F%2Fid")).toEqual({ code: "c", state: "s", iss: "https://id" });
  expect(returnedIn("?error=access_denied&state=s&error_description=x")).toEqual({ refused: "access_denied" });
  expect(returnedIn("?error=Your%20account%20is%20locked,%20call%20me&state=s")).toEqual({ refused: "" });
  for (const other of ["", "?", "?code=c", "?state=s", "?error=x", "?q=code"]) expect(returnedIn(other)).toBeNull();
});

test("the attempt stays in the tab until the code comes", async () => {
  auth.beginAtProvider.mockResolvedValue({ url: "https://id/authorize", attempt: "a" });
  void goToProvider();
  await vi.waitFor(() => expect(page.went).toEqual(["https://id/authorize"]));
  page.location.search = "?code=c&state=s";
  auth.finishAtProvider.mockResolvedValue({ access_token: "pls_1" });
  await arrive();
  expect(auth.finishAtProvider).toHaveBeenCalledWith("plc_1", { attempt: "a", code: "c", state: "s", label: "Firefox" });
  expect(login.replaceLogin).toHaveBeenCalledWith({ access_token: "pls_1" });
  expect(page.replaced).toEqual(["/chat/"]);
  expect(arriving.value).toBe(false);
  await arrive();
  expect(auth.finishAtProvider).toHaveBeenCalledTimes(1);
});

test("a code without an attempt begins no login", async () => {
  page.location.search = "?code=of+another&state=s";
  await arrive();
  expect(auth.finishAtProvider).not.toHaveBeenCalled();
  expect(page.replaced).toEqual(["/chat/"]);
});

test("errors of the server and of the provider", async () => {
  page.kept.set("parley-attempt", "a");
  page.location.search = "?code=c&state=s";
  auth.finishAtProvider.mockRejectedValue(new Error("down"));
  await arrive();
  expect(arrivalError.value).toEqual(new Error("down"));
  page.kept.set("parley-attempt", "a");
  page.location.search = "?error=access_denied&state=s";
  await arrive();
  expect(refusedByProvider.value).toBe("access_denied");
});
