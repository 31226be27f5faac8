/** The application's own masking: applied to every value before anything leaves the process. */
import { TooLarge, toJson } from '../client/json.ts'

/** Where a value comes from. */
export interface MaskedPlace {
  /** Such as `input`, `output`, `metadata`, `variables`, `user`, `name` or `comment`. */
  readonly field: string
}

/**
 * Returns what may be sent of a value; undefined for nothing of it. It is called with a copy, as JSON has it, which it may
 * change.
 */
export type Mask = (value: unknown, place: MaskedPlace) => unknown

/** What is sent in place of a value that the hook failed on: never the value. */
const maskFailed = '[left out: the mask failed]'

/** Names of fields that hold no content. A hook that changed one would break what refers to it. */
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

/** The masked value of a field; the value itself where the field holds no content. Throws `TooLarge` for a longer one. */
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

/** Of the form that the service takes there, so that the rest of the record is not refused. */
const failedValue = (field: string): unknown =>
  field === 'user' || field === 'organization' || field === 'variables' || field === 'metadata'
    ? null
    : maskFailed

/** The input of an operation that records: the fields of a trace, of its logs, or of a score. */
export function maskRecord(mask: Mask, input: object, onError: (error: unknown) => void): object {
  const masked = Object.entries(input).map(([field, value]) => [
    field,
    field === 'logs' && Array.isArray(value)
      ? value.map((log: object) => maskRecord(mask, log, onError))
      : maskField(mask, field, value, onError),
  ])
  return Object.fromEntries(masked)
}
