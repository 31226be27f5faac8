/** Not taken, for want of room: in the quota, in the queue or on the disk. Draining makes room again. */
export class SpoolFull extends Error {
  override readonly name = 'SpoolFull'
}

/** Not taken, because writing or reading failed. The next append tries again with a new file. */
export class SpoolFailed extends Error {
  override readonly name = 'SpoolFailed'
}

/** Tells a disk without room, which draining cures, from one that fails. */
export function failureOf(cause: unknown): SpoolFull | SpoolFailed {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new SpoolFull('The disk of the spool is full.', { cause })
  return new SpoolFailed('The spool could not be written.', { cause })
}
