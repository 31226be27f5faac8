/** What the stores refuse, told as the interface's errors. */
import { ServiceError } from '@plumbline/contract'
import { AlreadyExists, NotFound } from '@plumbline/storage/control'

/** Runs a write; what exists already becomes `already_exists` of this kind and name. */
export async function creating<Result>(kind: string, name: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    if (error instanceof AlreadyExists)
      throw new ServiceError('already_exists', { kind, name }, { cause: error })
    throw naming(error)
  }
}

/** Runs a write; what it names and does not exist becomes the 404 of its kind. */
export async function changing<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    throw naming(error)
  }
}

function naming(error: unknown): unknown {
  if (!(error instanceof NotFound)) return error
  switch (error.what) {
    case 'feature':
      return new ServiceError('feature_not_found', { slug: error.key }, { cause: error })
    case 'prompt':
      return new ServiceError('prompt_not_found', { slug: error.key }, { cause: error })
    case 'dataset':
      return new ServiceError('dataset_not_found', { slug: error.key }, { cause: error })
    default:
      return error
  }
}
