/** Fields of traces and generations that several conventions and the resource of a process name, each in its own words. */
import type { Convention } from '../facts.ts'

export const recordedFields: Convention = { name: 'recorded-fields', read: () => ({}) }
