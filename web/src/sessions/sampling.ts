// How a session is answered. The interface takes these with each question; the app keeps them in the
// session's metadata, so that they are the same on every device.
// The ranges of the interface. The first ones are all that most people need.
export const RANGES = {
  temperature: { min: 0, max: 2, step: 0.05 },
  max_output_tokens: { min: 1, max: 32_768, step: 1 },
  top_p: { min: 0.01, max: 1, step: 0.01 },
  top_k: { min: 0, max: 100_000, step: 1 },
  min_p: { min: 0, max: 1, step: 0.01 },
  repeat_penalty: { min: 0.5, max: 2, step: 0.01 },
  presence_penalty: { min: -2, max: 2, step: 0.05 },
  frequency_penalty: { min: -2, max: 2, step: 0.05 },
  seed: { min: 0, max: 4_294_967_295, step: 1 },
} as const;

export type Knob = keyof typeof RANGES;
export type Sampling = Partial<Record<Knob, number>>;
export const KNOBS = Object.keys(RANGES) as Knob[];
export const USUAL: readonly Knob[] = ["temperature", "max_output_tokens"];
export const RARE: readonly Knob[] = KNOBS.filter((knob) => !USUAL.includes(knob));

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

// The metadata with these values instead of the previous ones; other entries stay.
export function withSampling(metadata: Record<string, string>, sampling: Sampling): Record<string, string> {
  const next = { ...metadata };
  for (const knob of KNOBS) {
    const value = sampling[knob];
    if (value === undefined) delete next[knob];
    else next[knob] = String(value);
  }
  return next;
}
