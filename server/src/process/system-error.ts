/**
 * Whether an error comes from the machine or the installation, and so says nothing about the data being processed: a system
 * call failed, for example for lack of file descriptors; a module is missing, since some are loaded on demand and an upgrade
 * may replace them; or a thread could not start.
 */
export const isSystemError = (error: unknown): boolean =>
  error instanceof Error && ('syscall' in error || ('code' in error && systemCodes.has(String(error.code))))

const systemCodes: ReadonlySet<string> = new Set([
  'MODULE_NOT_FOUND',
  'ERR_MODULE_NOT_FOUND',
  'ERR_WORKER_INIT_FAILED',
])
