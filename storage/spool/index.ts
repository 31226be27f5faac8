export { SpoolFailed, SpoolFull } from './errors.ts'
export type { SpoolRecord } from './format.ts'
export { readSegment, type SegmentContents } from './read-segment.ts'
export { openSpool, type Segment, type SegmentDamage, type Spool, type SpoolOptions } from './spool.ts'
