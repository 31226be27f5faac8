/**
 * Every expected failure: its code, its HTTP status and its message.
 * The domain throws a `ServiceError`; only the HTTP layer reads the status.
 */
interface ErrorEntry {
  readonly status: number
  /** Each entry types the facts of its message; `ErrorFacts` infers them. */
  readonly message: (facts: never) => string
}

export const errors = {
  invalid_request: {
    status: 400,
    message: (f: { path: string; problem: string }) =>
      f.path === '' ? `body: ${f.problem}` : `${f.path}: ${f.problem}`,
  },
  malformed_json: {
    status: 400,
    message: (f: { problem: string }) => `The body is not valid JSON: ${f.problem}.`,
  },
  malformed_encoding: {
    status: 400,
    message: (f: { encoding: string }) =>
      `The body is not valid ${f.encoding} data, although Content-Encoding says it is.`,
  },
  unauthorized: { status: 401, message: (f: { problem: string }) => f.problem },
  forbidden: {
    status: 403,
    message: (f: { problem: string }) => f.problem,
  },
  tag_protected: {
    status: 403,
    message: (f: { tag: string }) =>
      `The tag "${f.tag}" is protected: request the move with approvals.create, and someone else has to approve it.`,
  },
  own_approval: {
    status: 403,
    message: () =>
      'You requested this move, yourself or with an API key that you created: someone else has to approve it.',
  },
  approval_not_found: {
    status: 404,
    message: (f: { id: string }) => `No requested move of a tag has the id "${f.id}".`,
  },
  approval_decided: {
    status: 409,
    message: (f: { status: string }) => `This request is already ${f.status}.`,
  },
  link_refused: { status: 403, message: (f: { problem: string }) => f.problem },
  connection_locked: {
    status: 400,
    message: (f: { id: string }) =>
      `The key of the connection "${f.id}" was encrypted with another PLUMBLINE_SECRET_KEY; give the key again.`,
  },
  channel_locked: {
    status: 400,
    message: (f: { id: string }) =>
      `The address of the channel "${f.id}" was encrypted with another PLUMBLINE_SECRET_KEY; enter it again.`,
  },
  upload_refused: { status: 403, message: (f: { problem: string }) => f.problem },
  route_not_found: {
    status: 404,
    message: (f: { path: string }) => `There is no route ${f.path}; see /docs.`,
  },
  feature_not_found: {
    status: 404,
    message: (f: { slug: string }) => `No feature has the slug "${f.slug}".`,
  },
  prompt_not_found: { status: 404, message: (f: { slug: string }) => `No prompt has the slug "${f.slug}".` },
  prompt_not_served: {
    status: 404,
    message: (f: { slug: string; selector: string }) =>
      `The prompt "${f.slug}" has ${f.selector}no version with the tag "production" to serve; publish one.`,
  },
  version_not_found: {
    status: 404,
    message: (f: { slug: string; selector: string }) => `The prompt "${f.slug}" has no ${f.selector}.`,
  },
  dataset_not_found: {
    status: 404,
    message: (f: { slug: string }) => `No dataset has the slug "${f.slug}".`,
  },
  dataset_version_not_found: {
    status: 404,
    message: (f: { slug: string; version: number }) => `The dataset "${f.slug}" has no version ${f.version}.`,
  },
  row_not_found: {
    status: 404,
    message: (f: { slug: string; id: string }) => `The dataset "${f.slug}" has no row with the id "${f.id}".`,
  },
  share_not_found: { status: 404, message: (f: { id: string }) => `No share link has the id "${f.id}".` },
  link_not_valid: { status: 404, message: (f: { problem: string }) => f.problem },
  comment_not_found: { status: 404, message: (f: { id: string }) => `No comment has the id "${f.id}".` },
  comment_of_another: {
    status: 403,
    message: (f: { action: 'change' | 'delete' }) =>
      f.action === 'change'
        ? 'Only the author of a comment can change it.'
        : 'Only the author of a comment or an admin can delete it.',
  },
  dashboard_not_found: {
    status: 404,
    message: (f: { slug: string }) => `No dashboard has the slug "${f.slug}".`,
  },
  dashboard_changed: {
    status: 409,
    message: (f: { slug: string }) =>
      `Somebody has changed the dashboard "${f.slug}" since you read it. Read it again, then change it.`,
  },
  view_not_found: { status: 404, message: (f: { id: string }) => `No saved view has the id "${f.id}".` },
  evaluator_not_found: {
    status: 404,
    message: (f: { slug: string }) => `No evaluator has the slug "${f.slug}".`,
  },
  connection_not_found: {
    status: 404,
    message: (f: { id: string }) => `No connection has the id "${f.id}".`,
  },
  alert_not_found: { status: 404, message: (f: { id: string }) => `No alert has the id "${f.id}".` },
  channel_not_found: { status: 404, message: (f: { id: string }) => `No channel has the id "${f.id}".` },
  notification_not_found: {
    status: 404,
    message: (f: { id: string }) => `No notification has the id "${f.id}".`,
  },
  rollout_not_found: { status: 404, message: (f: { id: string }) => `No rollout has the id "${f.id}".` },
  experiment_not_found: {
    status: 404,
    message: (f: { id: string }) => `No experiment has the id "${f.id}".`,
  },
  run_not_found: { status: 404, message: (f: { id: string }) => `No run has the id "${f.id}".` },
  deletion_not_found: { status: 404, message: (f: { id: string }) => `No deletion has the id "${f.id}".` },
  trace_not_found: { status: 404, message: (f: { id: string }) => `No trace has the id "${f.id}".` },
  conversation_not_found: {
    status: 404,
    message: (f: { id: string }) => `No trace has the session "${f.id}".`,
  },
  log_not_found: {
    status: 404,
    message: (f: { traceId: string; logId: string }) =>
      `The trace "${f.traceId}" has no log with the id "${f.logId}".`,
  },
  score_not_found: { status: 404, message: (f: { id: string }) => `No score has the id "${f.id}".` },
  score_not_yours: {
    status: 403,
    message: (f: { id: string }) =>
      `The score "${f.id}" belongs to someone else; only its author may change it.`,
  },
  annotation_queue_not_found: {
    status: 404,
    message: (f: { id: string }) => `No annotation queue has the id "${f.id}".`,
  },
  annotation_item_not_found: {
    status: 404,
    message: (f: { id: string }) => `The queue has no item with the id "${f.id}".`,
  },
  annotation_item_taken: {
    status: 409,
    message: () => 'Enough people have judged this item, or are working on it; continue with the next one.',
  },
  annotation_item_removed: {
    status: 409,
    message: () =>
      'This item was removed from the queue, and nothing was stored; add its trace again to judge it, or skip it.',
  },
  annotation_item_judged: {
    status: 409,
    message: () => 'You have judged this item; undo that before you skip it.',
  },
  nothing_to_undo: {
    status: 404,
    message: () => 'You have not judged or skipped anything here that could be undone.',
  },
  key_not_found: { status: 404, message: (f: { id: string }) => `No API key has the id "${f.id}".` },
  member_not_found: {
    status: 404,
    message: (f: { id: string }) => `The workspace has no member with the id "${f.id}".`,
  },
  job_not_found: { status: 404, message: (f: { id: string }) => `No job has the id "${f.id}".` },
  account_not_found: { status: 404, message: (f: { id: string }) => `No account has the id "${f.id}".` },
  invitation_not_found: {
    status: 404,
    message: (f: { id: string }) => `No invitation has the id "${f.id}".`,
  },
  recomputation_not_found: {
    status: 404,
    message: (f: { id: string }) => `No recomputation has the id "${f.id}".`,
  },
  recomputation_not_compared: {
    status: 409,
    message: (f: { status: string }) =>
      `The recomputation is ${f.status}; only one that is compared can be applied.`,
  },
  price_not_found: { status: 404, message: (f: { id: string }) => `No price override has the id "${f.id}".` },
  file_not_found: { status: 404, message: (f: { fileKey: string }) => `No file has the key "${f.fileKey}".` },
  method_not_allowed: {
    status: 405,
    message: (f: { method: string; path: string; allow: string }) =>
      `${f.path} does not accept ${f.method}; use ${f.allow}.`,
  },
  row_changed: {
    status: 409,
    message: (f: { fields: string }) =>
      `${f.fields} changed since you read the row; nothing was saved. Read it again.`,
  },
  already_exists: {
    status: 409,
    message: (f: { kind: string; name: string }) =>
      `There is already ${/^[aeiou]/.test(f.kind) ? 'an' : 'a'} ${f.kind} "${f.name}".`,
  },
  feature_in_use: {
    status: 409,
    message: (f: { slug: string; prompts: number; experiments: number }) =>
      `The feature "${f.slug}" has ${f.prompts} prompts and ${f.experiments} experiments; move or delete them first.`,
  },
  prompt_in_use: {
    status: 409,
    message: (f: { slug: string }) =>
      `The prompt "${f.slug}" is in use; archive it first, and then delete it.`,
  },
  alert_in_use: {
    status: 409,
    message: (f: { prompt: string; tag: string }) =>
      `The running rollout of "${f.prompt}" at the tag "${f.tag}" depends on this alert; end the rollout first.`,
  },
  alert_firing: {
    status: 409,
    message: (f: { name: string }) =>
      `The alert "${f.name}" is already firing, so it cannot start to fire; use it once it has recovered.`,
  },
  rollout_ended: {
    status: 409,
    message: (f: { id: string; status: string }) =>
      `The rollout "${f.id}" has ended: it was ${f.status.replace('_', ' ')}.`,
  },
  last_owner: {
    status: 409,
    message: () => 'A workspace needs at least one owner; make another member an owner first.',
  },
  owner_needed: {
    status: 409,
    message: (f: { workspaces: string }) =>
      `No other owner of ${f.workspaces} can sign in; make another person an owner there first, or take it over.`,
  },
  idempotent_response_lost: {
    status: 409,
    message: (f: { key: string }) =>
      `The first request with the Idempotency-Key "${f.key}" succeeded, but its response held a secret that can no longer be decrypted; find what it created in the list, and send a new request with a new key if you need another.`,
  },
  idempotency_conflict: {
    status: 409,
    message: (f: { key: string }) =>
      `The Idempotency-Key "${f.key}" was used with another body in the last 24 hours; use a new key for a new request.`,
  },
  body_too_large: {
    status: 413,
    message: (f: { bytesMax: number }) =>
      `The body is larger than ${f.bytesMax} bytes (after decompression).`,
  },
  file_too_large: {
    status: 413,
    message: (f: { bytesMax: number }) => `The file is larger than ${f.bytesMax} bytes.`,
  },
  unsupported_media_type: {
    status: 415,
    message: (f: { expected: string; type: string }) => `The body must be ${f.expected}, not ${f.type}.`,
  },
  unsupported_encoding: {
    status: 415,
    message: (f: { encoding: string }) =>
      `Content-Encoding ${f.encoding} is not supported; use gzip, deflate, br or zstd.`,
  },
  rate_limited: {
    status: 429,
    message: (f: { perMinute: number }) => `You are over the limit of ${f.perMinute} requests a minute.`,
  },
  internal: {
    status: 500,
    message: (f: { requestId: string }) =>
      `The request failed because of an internal error; the operator can find the cause by the request id ${f.requestId}.`,
  },
  not_supported: { status: 501, message: (f: { problem: string }) => f.problem },
  unavailable: { status: 503, message: (f: { problem: string }) => f.problem },
  store_damaged: {
    status: 503,
    message: (f: { store: string }) =>
      `${f.store} is damaged, so this request cannot be answered, and a retry will not help; the operator can locate the damage with "plumbline verify".`,
  },
  store_full: {
    status: 503,
    message: (f: { store: string }) =>
      `The disk of ${f.store} is full; try again when the operator has made room.`,
  },
  query_too_slow: {
    status: 503,
    message: () => 'The query took too long; choose a shorter time range, or filter by more than words.',
  },
  query_too_large: {
    status: 503,
    message: () => 'The query needed too much memory; choose a shorter time range, or fewer dimensions.',
  },
} as const satisfies Record<string, ErrorEntry>

export type ErrorCode = keyof typeof errors
export type ErrorFacts<Code extends ErrorCode> = Parameters<(typeof errors)[Code]['message']>[0]

/** An expected failure: thrown by the domain with its facts, returned by the HTTP layer as `{ error }`. */
export class ServiceError<Code extends ErrorCode = ErrorCode> extends Error {
  readonly code: Code
  readonly facts: ErrorFacts<Code>

  constructor(code: Code, facts: ErrorFacts<Code>, options?: ErrorOptions) {
    super(errors[code].message(facts as never), options)
    this.name = 'ServiceError'
    this.code = code
    this.facts = facts
  }

  get status(): number {
    return errors[this.code].status
  }
}

/** The error for an invalid request, with the path of the field, such as `logs[2].type`. */
export const invalid = (path: string, problem: string): ServiceError<'invalid_request'> =>
  new ServiceError('invalid_request', { path, problem })
