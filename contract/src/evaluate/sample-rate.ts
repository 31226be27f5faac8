/** The fraction of traces that an evaluator judges unless told otherwise. */
export const defaultSampleRate = 0.1
