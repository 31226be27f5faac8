/**
 * Whether an error is of the machine or of the installation, and so says nothing about the data that was at work: a system
 * call failed, such as for want of file descriptors, a module is missing, since some are loaded on demand and an upgrade
 * may replace them, or a thread could not start.
 */
export const isSystemError = (error: unknown): boolean =>
  error instanceof Error && ('syscall' in error || ('code' in error && systemCodes.has(String(error.code))))

const systemCodes: ReadonlySet<string> = new Set([
  'MODULE_NOT_FOUND',
  'ERR_MODULE_NOT_FOUND',
  'ERR_WORKER_INIT_FAILED',
])
