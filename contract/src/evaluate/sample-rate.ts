/** The fraction of traces that an evaluator judges by default. */
export const defaultSampleRate = 0.1
