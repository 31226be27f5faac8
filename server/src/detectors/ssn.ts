import { type Find, findMatches } from './hit.ts'

/** Excludes numbers that are never issued. */
const form = /(?<![\d-])(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\d-])/g

/** Social security numbers of the United States. */
export const findSsns: Find = (text) => findMatches(text, form)
