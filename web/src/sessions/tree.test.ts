import { describe, expect, it } from "vitest";
import type { Message } from "../api/types";
import { Tree } from "./tree";

const message = (id: string, parent_id: string | null, sibling_ids?: string[]): Message => ({
  id, parent_id, session_id: "s", role: "user", content: [], created_at: "", metadata: {}, ...(sibling_ids && { sibling_ids }),
});

describe("Tree", () => {
  it("gives the branch down to a message", () => {
    const tree = new Tree();
    tree.add([message("c", "b"), message("a", null), message("b", "a"), message("d", "b")]);
    expect(tree.path("d").map((each) => each.id)).toEqual(["a", "b", "d"]);
  });

  it("begins a branch with the first message that is known", () => {
    const tree = new Tree();
    tree.add([message("b", "a"), message("c", "b")]);
    expect(tree.path("c").map((each) => each.id)).toEqual(["b", "c"]);
  });

  it("knows siblings that it has seen or heard of, oldest first", () => {
    const tree = new Tree();
    tree.add([message("c", "a", ["b", "c"]), message("d", "a")]);
    expect(tree.siblings(tree.get("c")!)).toEqual(["b", "c", "d"]);
  });

  it("finds the newest end below a message", () => {
    const tree = new Tree();
    tree.add([message("a", null), message("b", "a"), message("c", "b"), message("d", "a"), message("e", "c")]);
    expect(tree.newestBelow("b")).toBe("e");
    expect(tree.newestBelow("a")).toBe("e");
    expect(tree.newestBelow("d")).toBe("d");
  });
});
