import { v7 } from 'uuid'

/** A new UUIDv7: its first 48 bits are the time, so ids sort by when they were made. */
export const newId = (now: Date): string => v7({ msecs: now.getTime() })
