export { type DiskSpace, reserveBytesOf, spaceOf } from './disk-reserve.ts'
export { SpoolFailed, SpoolFull } from './errors.ts'
export {
  type FileSegment,
  type FileSpool,
  type FileSpoolOptions,
  openFileSpool,
  type SegmentDamage,
} from './file-spool.ts'
export type { SpoolRecord } from './format.ts'
export { readSegment, type SegmentContents, type SegmentSource } from './read-segment.ts'
export { syncFolder } from './segment-file.ts'
export { openSharedSpool, type SharedSpool, type SharedSpoolOptions } from './shared/shared-spool.ts'
export type {
  RecordTags,
  Segment,
  SharedRejections,
  Spool,
  SpoolSize,
  TaggedRecord,
  WaitingRecords,
} from './spool.ts'
