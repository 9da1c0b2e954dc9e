// Cuts Markdown into blocks that can be rendered one by one. Text only grows at its end, so all
// blocks except the last are final: they are rendered once, however long the answer becomes.

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const ITEM = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:\s|$)/;
const LONGEST = 3_000; // A longer paragraph is laid out as several.

interface Cutter {
  start: number; // Of the block.
  fence: string | null; // The text that closes the current code block.
  list: boolean; // The block is a list: indented lines and further items belong to it.
  blank: boolean; // The line before was empty.
}

// The ends of all blocks that are final, counted from `from`, where a block begins.
export function finalBlocks(text: string, from: number): number[] {
  const ends: number[] = [];
  const state: Cutter = { start: from, fence: null, list: false, blank: false };
  const cut = (at: number) => {
    if (at <= state.start) return;
    ends.push(at);
    state.start = at;
    state.list = false;
    state.blank = false;
  };
  for (let at = from; at < text.length; ) {
    const end = text.indexOf("\n", at);
    if (end < 0) {
      beginning(text.slice(at), at, state, cut);
      break;
    }
    line(text.slice(at, end), at, end + 1, state, cut);
    at = end + 1;
  }
  cutLongParagraph(text, state, cut);
  return ends;
}

function line(words: string, at: number, next: number, state: Cutter, cut: (at: number) => void): void {
  if (state.fence) {
    const closing = FENCE.exec(words)?.[1];
    if (closing?.startsWith(state.fence) && !words.trim().slice(closing.length)) {
      state.fence = null;
      if (!state.list) cut(next);
    }
    return;
  }
  if (!words.trim()) {
    state.blank = true;
    return;
  }
  const opening = FENCE.exec(words)?.[1];
  const item = ITEM.test(words);
  const belongs = state.list && (item || /^\s/.test(words));
  if ((state.blank || (opening && !state.list)) && !belongs) cut(at);
  if (at === state.start) state.list = item;
  if (opening) state.fence = opening;
  else if (state.list && /^\s+(`{3,}|~{3,})/.test(words)) state.fence = words.trim().match(/^(`{3,}|~{3,})/)![1]!;
  state.blank = false;
}

// A line that may still grow: the text before it is final if this line cannot belong to it.
function beginning(words: string, at: number, state: Cutter, cut: (at: number) => void): void {
  if (state.fence || !state.blank || !/^\S/.test(words)) return;
  const mayBecomeItem = ITEM.test(words) || /^(?:[-*+]|\d{1,9}[.)]?)$/.test(words);
  if (state.list && mayBecomeItem) return;
  cut(at);
  state.list = mayBecomeItem;
}

// Only at a place without Markdown marks, so that nothing is torn apart.
function cutLongParagraph(text: string, state: Cutter, cut: (at: number) => void): void {
  while (!state.fence && !state.list && text.length - state.start > 2 * LONGEST) {
    const part = text.slice(state.start, state.start + LONGEST);
    const sentence = Math.max(part.lastIndexOf(". "), part.lastIndexOf("! "), part.lastIndexOf("? "));
    const at = sentence > LONGEST / 2 ? sentence + 2 : part.lastIndexOf(" ") + 1;
    if (at < LONGEST / 2 || /[`*_[\]|<>]/.test(part) || part.includes("\n")) return;
    cut(state.start + at);
  }
}
