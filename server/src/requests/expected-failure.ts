import { ServiceError } from '@plumbline/contract'
import { ControlStoreAway, ControlStoreDamaged, NotFound } from '@plumbline/storage/control'
import { TraceStoreUnavailable } from '@plumbline/storage/traces'

/** The failure of the contract that an error stands for; undefined for what should not have happened. */
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
  // Nobody reaches a workspace that is deleted, but for requests that had begun.
  if (error instanceof NotFound && error.what === 'workspace')
    return new ServiceError('forbidden', { problem: 'This workspace was deleted.' }, { cause: error })
  return undefined
}

/** Of files that are written beside the stores: those of datasets, and what a backup is made of. */
const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')

/** As many as the process, or the machine, may have: it passes with the requests that have them open. */
const isOutOfFiles = (error: unknown): boolean =>
  error instanceof Error &&
  (('code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE')) || isOutOfFiles(error.cause))

const away = (store: string, cause: Error): ServiceError =>
  new ServiceError('unavailable', { problem: `${store} cannot answer now; try again soon.` }, { cause })

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
