// The messages of a session are a tree: an answer can be generated again, and a question can be
// changed. The app knows the part that it has loaded.
import type { Message } from "../api/types";

export class Tree {
  #messages = new Map<string, Message>();
  #children = new Map<string | null, Set<string>>();

  add(messages: Iterable<Message>): void {
    for (const message of messages) {
      const former = this.#messages.get(message.id);
      this.#messages.set(message.id, { ...former, ...message });
      const siblings = this.#children.get(message.parent_id) ?? new Set();
      this.#children.set(message.parent_id, siblings);
      siblings.add(message.id);
      for (const id of message.sibling_ids ?? []) siblings.add(id);
    }
  }

  get(id: string): Message | undefined {
    return this.#messages.get(id);
  }

  // All messages with the same parent, oldest first: ids are ordered by time.
  siblings(message: Pick<Message, "id" | "parent_id">): string[] {
    return [...(this.#children.get(message.parent_id) ?? [message.id])].sort();
  }

  // The messages from the first known one down to `leaf`.
  path(leaf: string): Message[] {
    const path: Message[] = [];
    for (let next = this.#messages.get(leaf); next; next = next.parent_id ? this.#messages.get(next.parent_id) : undefined)
      path.push(next);
    return path.reverse();
  }

  // The newest known message below one, or the message itself.
  newestBelow(id: string): string {
    let newest = id;
    const pending = [id];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const below = this.#children.get(next);
      if (!below) {
        if (newest === id || next > newest) newest = next;
        continue;
      }
      pending.push(...below);
    }
    return newest;
  }

  // The id of the answer of a run, if it is known.
  answerOf(run: string): string | undefined {
    for (const message of this.#messages.values()) if (message.role === "assistant" && message.run_id === run) return message.id;
    return undefined;
  }

  hasChildren(id: string): boolean {
    return this.#children.has(id);
  }
}
