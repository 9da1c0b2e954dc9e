// The part of a long list that is on the page.
export interface Range {
  first: number;
  last: number; // Exclusive.
}

export const covers = (outer: Range, inner: Range) => outer.first <= inner.first && outer.last >= inner.last;

// The next range after `now`: all of `needed` at once, up to `steps` more of `wanted`, and nothing outside
// `kept`.
export function nextRange(now: Range, needed: Range, wanted: Range, kept: Range, steps: number): Range {
  const apart = now.last <= needed.first || now.first >= needed.last;
  let { first, last } = apart ? needed : { first: Math.min(now.first, needed.first), last: Math.max(now.last, needed.last) };
  first = Math.max(first, kept.first);
  last = Math.min(last, kept.last);
  for (let left = steps; left > 0 && (first > wanted.first || last < wanted.last); left--) {
    // The closer end of the view first.
    const above = first > wanted.first && (last >= wanted.last || needed.first - first <= last - needed.last);
    if (above) first--;
    else last++;
  }
  return { first, last };
}
