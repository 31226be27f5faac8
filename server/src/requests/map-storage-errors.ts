/** Maps errors of the stores to errors of the interface. */
import { invalid, ServiceError } from '@plumbline/contract'
import {
  AlertFires,
  AlertInUse,
  AlreadyExists,
  AnnotationItemRemoved,
  NotFound,
  RolloutEnded,
  TagProtected,
  VersionConflict,
  VersionNamedAsTag,
} from '@plumbline/storage/control'

/** Runs a write; if the item already exists, throws `already_exists` with this kind and name. */
export async function mapConflict<Result>(
  kind: string,
  name: string,
  work: Promise<Result>,
): Promise<Result> {
  try {
    return await work
  } catch (error) {
    if (error instanceof AlreadyExists)
      throw new ServiceError('already_exists', { kind, name }, { cause: error })
    throw toServiceError(error)
  }
}

/**
 * Runs a write; if it refers to something that does not exist, throws the 404 of that kind. `place` is the slug of its
 * dataset.
 */
export async function mapStorageErrors<Result>(work: Promise<Result>, place = ''): Promise<Result> {
  try {
    return await work
  } catch (error) {
    throw toServiceError(error, place)
  }
}

function toServiceError(error: unknown, place = ''): unknown {
  if (error instanceof AlertInUse)
    return new ServiceError('alert_in_use', { prompt: error.prompt, tag: error.tag }, { cause: error })
  if (error instanceof AlertFires)
    return new ServiceError('alert_firing', { name: error.alert }, { cause: error })
  if (error instanceof RolloutEnded)
    return new ServiceError('rollout_ended', { id: error.id, status: error.status }, { cause: error })
  if (error instanceof TagProtected)
    return new ServiceError('tag_protected', { tag: error.tag }, { cause: error })
  if (error instanceof VersionNamedAsTag)
    return invalid('version', `must not be "${error.tag}", which is a tag`)
  if (error instanceof AnnotationItemRemoved)
    return new ServiceError('annotation_item_removed', undefined, { cause: error })
  if (error instanceof VersionConflict)
    return new ServiceError('dashboard_changed', { slug: error.key }, { cause: error })
  if (!(error instanceof NotFound)) return error
  switch (error.what) {
    case 'feature':
      return new ServiceError('feature_not_found', { slug: error.key }, { cause: error })
    case 'prompt':
      return new ServiceError('prompt_not_found', { slug: error.key }, { cause: error })
    case 'dataset':
      return new ServiceError('dataset_not_found', { slug: error.key }, { cause: error })
    case 'datasetRow':
      return new ServiceError('row_not_found', { slug: place, id: error.key }, { cause: error })
    case 'connection':
      return new ServiceError('connection_not_found', { id: error.key }, { cause: error })
    case 'datasetVersion':
      return new ServiceError(
        'dataset_version_not_found',
        { slug: place, version: Number(error.key) },
        { cause: error },
      )
    case 'evaluator':
      return new ServiceError('evaluator_not_found', { slug: error.key }, { cause: error })
    case 'experiment':
      return new ServiceError('experiment_not_found', { id: error.key }, { cause: error })
    case 'run':
      return new ServiceError('run_not_found', { id: error.key }, { cause: error })
    case 'annotationQueue':
      return new ServiceError('annotation_queue_not_found', { id: error.key }, { cause: error })
    case 'annotationItem':
      return new ServiceError('annotation_item_not_found', { id: error.key }, { cause: error })
    case 'alert':
      return new ServiceError('alert_not_found', { id: error.key }, { cause: error })
    case 'channel':
      return new ServiceError('channel_not_found', { id: error.key }, { cause: error })
    case 'notification':
      return new ServiceError('notification_not_found', { id: error.key }, { cause: error })
    case 'rollout':
      return new ServiceError('rollout_not_found', { id: error.key }, { cause: error })
    case 'share':
      return new ServiceError('share_not_found', { id: error.key }, { cause: error })
    case 'comment':
      return new ServiceError('comment_not_found', { id: error.key }, { cause: error })
    case 'dashboard':
      return new ServiceError('dashboard_not_found', { slug: error.key }, { cause: error })
    case 'view':
      return new ServiceError('view_not_found', { id: error.key }, { cause: error })
    default:
      return error
  }
}
