// The text at the upper edge of a scrolled frame. If it moves although the reader did not scroll, the
// movement can be undone.
export interface Anchor {
  element: Element;
  y: number; // From the top of the scrolled content.
  message: string | undefined;
  offset: number; // Distance from the edge to the beginning of this message.
}

const topIn = (element: Element, frame: HTMLElement) => element.getBoundingClientRect().top - frame.getBoundingClientRect().top;

// The first of these stacked elements that ends below an edge.
function firstBelow(elements: HTMLCollection, edge: number): Element | undefined {
  let low = 0;
  let high = elements.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (elements[middle]!.getBoundingClientRect().bottom > edge) high = middle;
    else low = middle + 1;
  }
  return elements[low];
}

export function findAnchor(frame: HTMLElement, list: HTMLElement): Anchor | null {
  const edge = frame.getBoundingClientRect().top + 1;
  const row = firstBelow(list.children, edge) as HTMLElement | undefined;
  if (!row) return null;
  // A long answer has many blocks: one of them is closer to the edge than its beginning.
  const blocks = row.querySelector(".markdown")?.children;
  const element = (blocks && firstBelow(blocks, edge)) ?? row;
  return { element, y: topIn(element, frame) + frame.scrollTop, message: row.dataset["id"], offset: topIn(row, frame) };
}

export const shiftOf = (anchor: Anchor, frame: HTMLElement): number =>
  anchor.element.isConnected ? topIn(anchor.element, frame) + frame.scrollTop - anchor.y : 0;
