/** Rejected for lack of space: in the quota, in the queue or on the disk. Draining frees space. */
export class SpoolFull extends Error {
  override readonly name = 'SpoolFull'
}

/** Rejected because writing or reading failed. The next append uses a new file. */
export class SpoolFailed extends Error {
  override readonly name = 'SpoolFailed'
}

/** Distinguishes a full disk, where draining frees space, from a failing one. */
export function failureOf(cause: unknown): SpoolFull | SpoolFailed {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  if (code === 'ENOSPC' || code === 'EDQUOT') return new SpoolFull('The spool disk is full.', { cause })
  return new SpoolFailed('The spool could not be written.', { cause })
}
