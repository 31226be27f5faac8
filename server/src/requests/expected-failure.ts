import { ServiceError } from '@plumbline/contract'
import { ControlStoreAway, ControlStoreDamaged, NotFound } from '@plumbline/storage/control'
import { TraceStoreUnavailable } from '@plumbline/storage/traces'

/** The contract error that an error corresponds to; undefined for anything that should not have happened. */
export function expectedFailure(error: unknown): ServiceError | undefined {
  if (error instanceof ServiceError) return error
  if (error instanceof ControlStoreAway)
    return error.isFull
      ? new ServiceError('store_full', { store: 'the control plane' }, { cause: error })
      : away('The control plane', error)
  if (error instanceof ControlStoreDamaged)
    return new ServiceError('store_damaged', { store: 'The control plane' }, { cause: error })
  if (error instanceof TraceStoreUnavailable) return traceStoreFailure(error)
  if (isDiskFull(error))
    return new ServiceError('store_full', { store: 'the data directory' }, { cause: error })
  if (isOutOfFiles(error))
    return new ServiceError(
      'unavailable',
      { problem: 'This service has too many files open; try again soon.' },
      { cause: error },
    )
  // Only requests that had already started can reach a deleted workspace.
  if (error instanceof NotFound && error.what === 'workspace')
    return new ServiceError('forbidden', { problem: 'This workspace was deleted.' }, { cause: error })
  return undefined
}

/** For files outside the stores: dataset files, and the files of a backup. */
const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')

/** The process or the machine has reached its limit of open files, until requests that use them end. */
const isOutOfFiles = (error: unknown): boolean =>
  error instanceof Error &&
  (('code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE')) || isOutOfFiles(error.cause))

const away = (store: string, cause: Error): ServiceError =>
  new ServiceError('unavailable', { problem: `${store} is unavailable; try again soon.` }, { cause })

function traceStoreFailure(cause: TraceStoreUnavailable): ServiceError {
  switch (cause.reason) {
    case 'damaged':
      return new ServiceError('store_damaged', { store: 'The trace store' }, { cause })
    case 'no space':
      return new ServiceError('store_full', { store: 'the trace store' }, { cause })
    case 'too slow':
      return new ServiceError('query_too_slow', undefined, { cause })
    case 'too large':
      return new ServiceError('query_too_large', undefined, { cause })
    case 'away':
      return away('The trace store', cause)
  }
}
