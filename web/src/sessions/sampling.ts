// How a session is answered. The interface takes these with each question; the app keeps them in the
// session's metadata, so that they are the same on every device.
import type { Query } from "../api/calls";

export interface Sampling {
  temperature?: number;
  top_p?: number;
  max_output_tokens?: number;
  seed?: number;
}

export const RANGES = {
  temperature: { min: 0, max: 2, step: 0.1 },
  top_p: { min: 0.01, max: 1, step: 0.01 },
  max_output_tokens: { min: 1, max: 32_768, step: 1 },
  seed: { min: 0, max: 4_294_967_295, step: 1 },
} as const;

export type Knob = keyof typeof RANGES;
export const KNOBS = Object.keys(RANGES) as Knob[];

export function samplingOf(metadata: Record<string, string> | undefined): Sampling {
  const found: Sampling = {};
  for (const knob of KNOBS) {
    const text = metadata?.[knob];
    const value = Number(text);
    const { min, max } = RANGES[knob];
    if (text && Number.isFinite(value) && value >= min && value <= max) found[knob] = value;
  }
  return found;
}

// The metadata with these and without former ones; what others have kept there stays.
export function withSampling(metadata: Record<string, string>, sampling: Sampling): Record<string, string> {
  const next = { ...metadata };
  for (const knob of KNOBS) {
    const value = sampling[knob];
    if (value === undefined) delete next[knob];
    else next[knob] = String(value);
  }
  return next;
}

export const asQuery = (sampling: Sampling): Partial<Query> => ({ ...sampling });
