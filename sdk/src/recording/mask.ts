/** The application's own masking: applied to every value before anything leaves the process. */
import { TooLarge, toJson } from '../client/json.ts'

/** The origin of a value. */
export interface MaskedPlace {
  /** The field, such as `input`, `output`, `metadata`, `variables`, `user`, `name` or `comment`. */
  readonly field: string
}

/**
 * Returns the masked value to send, or undefined to leave it out. It receives a copy that has been converted to JSON and
 * back, which it may modify.
 */
export type Mask = (value: unknown, place: MaskedPlace) => unknown

/** Replaces a value for which the mask threw; the value itself is never sent. */
const maskFailed = '[left out: the mask failed]'

/** Fields that hold no content. Masking them would break references. */
const references = new Set([
  'id',
  'type',
  'parentId',
  'featureSlug',
  'chainSlug',
  'experiment',
  'startTime',
  'endTime',
  'evaluators',
  'evaluationConfig',
  'prompt',
  'model',
  'provider',
  'usage',
  'timeToFirstTokenMs',
  'slug',
  'version',
  'tag',
  'inputTokens',
  'outputTokens',
  'cost',
  'traceId',
  'logId',
  'createdAt',
  'logs',
])

/** The masked value of a field; fields without content are returned unchanged. Throws `TooLarge` for values that are too long. */
export function maskField(
  mask: Mask,
  field: string,
  value: unknown,
  onError: (error: unknown) => void,
  charsMax?: number,
): unknown {
  if (value == null || references.has(field)) return value
  try {
    return mask(JSON.parse(toJson(value, charsMax)), { field })
  } catch (error) {
    if (error instanceof TooLarge) throw error
    onError(error)
    return failedValue(field)
  }
}

/** A replacement of a type that the service accepts for the field, so that the rest of the record is not rejected. */
const failedValue = (field: string): unknown =>
  field === 'user' || field === 'organization' || field === 'variables' || field === 'metadata'
    ? null
    : maskFailed

/** Masks the input of a recording operation: the fields of a trace, of its logs, or of a score. */
export function maskRecord(mask: Mask, input: object, onError: (error: unknown) => void): object {
  const masked = Object.entries(input).map(([field, value]) => [
    field,
    field === 'logs' && Array.isArray(value)
      ? value.map((log: object) => maskRecord(mask, log, onError))
      : maskField(mask, field, value, onError),
  ])
  return Object.fromEntries(masked)
}
