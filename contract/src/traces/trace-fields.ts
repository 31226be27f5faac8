/**
 * The one definition of each field of a trace, and of each field of its logs that traces can be filtered by. Conditions,
 * facets, metric dimensions, sort orders, export columns, the filter box and the web app's columns are derived from it.
 * This file imports nothing, so that the web app can use it too.
 */

export const plainLogTypes = ['span', 'function', 'tool', 'retrieval', 'event'] as const
export const logTypes = [...plainLogTypes, 'generation'] as const
export type LogType = (typeof logTypes)[number]

/** A query parameter: shorthand for a condition. */
interface Parameter {
  readonly name: string
  readonly description: string
}

export interface TraceField {
  /** The heading of its column. */
  readonly label: string
  /** `list`: several texts; a condition matches if one of them does. `json`: the text of a JSON value. */
  readonly type: 'text' | 'list' | 'number' | 'flag' | 'instant' | 'json'
  readonly unit?: 'usd' | 'ms' | 'tokens' | 'count'
  /** All possible values. */
  readonly values?: readonly string[]
  /** SQL over the table `traces`; absent where only logs have the field. */
  readonly column?: string
  /** SQL over the table `logs`: the log's own value, or a copy of the trace's. */
  readonly logColumn?: string
  /** SQL over the table `traces`: the display name of the value. Conditions with `named` search both columns. */
  readonly nameColumn?: string
  /** For a `column` of tuples: conditions on elements of the same tuple can be applied to a single log. */
  readonly tuple?: { readonly column: string; readonly element: number }
  /** The hint in the filter box. Conditions support the field only if it has a hint. */
  readonly hint?: string
  /** The name under which applications send it; it is stored, returned, exported and imported as it was sent. */
  readonly recordedField?: Parameter
  /** The parameter for `is` with one value. */
  readonly parameter?: Parameter
  /** The parameters for `min` and `max`. */
  readonly minimum?: Parameter
  readonly maximum?: Parameter
  /** Its parameter, and `is` in conditions, select logs: metrics cover the matching logs instead of their whole traces. */
  readonly narrowsToLogs?: true
  /** Whether its values are counted as facets, by default or only on request. */
  readonly facet?: 'default' | 'on request'
  /** Its name as a dimension of metrics. */
  readonly dimension?: string
  /** The name under which metrics offer its mean and its percentiles. */
  readonly distribution?: string
  /** Whether the hourly sums include its `logColumn`. */
  readonly isRolledUp?: true
  /** Its name as a sort order. */
  readonly sort?: string
  /** Its column in CSV and Parquet files. */
  readonly exportColumn?: string
}

/** In the order in which the filter box offers them. */
export const traceFields = {
  feature: {
    label: 'Feature',
    type: 'text',
    column: 'feature_slug',
    logColumn: 'feature_slug',
    hint: 'feature',
    parameter: { name: 'featureSlug', description: 'Traces of this feature.' },
    facet: 'default',
    dimension: 'feature',
    isRolledUp: true,
    exportColumn: 'featureSlug',
  },
  hasError: {
    label: 'Error',
    type: 'flag',
    column: 'errors > 0',
    hint: 'with a failed log',
    parameter: { name: 'hasError', description: 'Traces with, or without, a failed log.' },
    facet: 'default',
  },
  name: {
    label: 'Name',
    type: 'text',
    column: 'name',
    hint: 'trace name',
    parameter: { name: 'name', description: 'Traces of exactly this name.' },
    facet: 'default',
    dimension: 'name',
    exportColumn: 'name',
  },
  model: {
    label: 'Model',
    type: 'list',
    column: 'models',
    logColumn: 'model',
    hint: 'model used in the trace',
    parameter: { name: 'model', description: 'Traces with a log that used this model.' },
    narrowsToLogs: true,
    facet: 'default',
    dimension: 'model',
    isRolledUp: true,
    exportColumn: 'models',
  },
  provider: {
    label: 'Provider',
    type: 'list',
    logColumn: 'provider',
    hint: 'model provider',
    parameter: { name: 'provider', description: 'Traces with a log whose model this provider served.' },
    facet: 'on request',
    dimension: 'provider',
    isRolledUp: true,
  },
  type: {
    label: 'Log type',
    type: 'list',
    values: logTypes,
    column: 'log_types',
    logColumn: 'type',
    hint: 'log type',
    parameter: { name: 'type', description: 'Traces with a log of this type.' },
    narrowsToLogs: true,
    facet: 'default',
    dimension: 'type',
    isRolledUp: true,
  },
  prompt: {
    label: 'Prompt',
    type: 'list',
    column: 'prompts.1',
    tuple: { column: 'prompts', element: 1 },
    logColumn: 'prompt_slug',
    hint: 'prompt used in the trace',
    parameter: { name: 'promptSlug', description: 'Traces with a log that used this prompt.' },
    narrowsToLogs: true,
    facet: 'default',
    dimension: 'promptSlug',
    isRolledUp: true,
  },
  promptVersion: {
    label: 'Prompt version',
    type: 'list',
    column: 'prompts.2',
    tuple: { column: 'prompts', element: 2 },
    logColumn: 'prompt_version',
    hint: 'prompt version',
    parameter: { name: 'promptVersion', description: 'Traces with a log that was served this version.' },
    narrowsToLogs: true,
    facet: 'on request',
    dimension: 'promptVersion',
    isRolledUp: true,
  },
  environment: {
    label: 'Environment',
    type: 'text',
    column: 'environment',
    hint: 'deployment environment',
    recordedField: { name: 'environment', description: 'Where the application runs, such as `production`.' },
    parameter: { name: 'environment', description: 'Traces of this environment.' },
    facet: 'default',
    dimension: 'environment',
    exportColumn: 'environment',
  },
  release: {
    label: 'Release',
    type: 'text',
    column: 'release',
    hint: 'release of the application',
    recordedField: {
      name: 'release',
      description: 'Version of the application, such as `2.4.1` or a commit.',
    },
    parameter: { name: 'release', description: 'Traces of this release.' },
    facet: 'default',
    dimension: 'release',
    exportColumn: 'release',
  },
  tag: {
    label: 'Tags',
    type: 'list',
    column: 'tags',
    hint: 'tag that the trace carries',
    recordedField: { name: 'tags', description: 'Tags of the trace.' },
    parameter: { name: 'tag', description: 'Traces that carry this tag.' },
    facet: 'default',
    dimension: 'tag',
    exportColumn: 'tags',
  },
  user: {
    label: 'User',
    type: 'text',
    column: 'user_id',
    nameColumn: 'user_name',
    logColumn: 'user_id',
    hint: 'name or id of the end user',
    parameter: { name: 'userId', description: 'Traces of this user.' },
    facet: 'default',
    dimension: 'user',
    exportColumn: 'userId',
  },
  userName: { label: 'User name', type: 'text', column: 'user_name', exportColumn: 'userName' },
  organization: {
    label: 'Organization',
    type: 'text',
    column: 'organization_id',
    nameColumn: 'organization_name',
    logColumn: 'organization_id',
    hint: 'name or id of the customer',
    parameter: { name: 'organizationId', description: 'Traces of this organization.' },
    facet: 'default',
    dimension: 'organization',
    exportColumn: 'organizationId',
  },
  organizationName: {
    label: 'Organization name',
    type: 'text',
    column: 'organization_name',
    exportColumn: 'organizationName',
  },
  session: {
    label: 'Session',
    type: 'text',
    column: 'session_id',
    hint: 'session id',
    recordedField: {
      name: 'sessionId',
      description: 'Session of the end user; when absent, `metadata.sessionId` if it is a string.',
    },
    parameter: { name: 'sessionId', description: 'Traces of this session.' },
    facet: 'on request',
    dimension: 'session',
    exportColumn: 'sessionId',
  },
  experiment: {
    label: 'Experiment',
    type: 'text',
    column: 'experiment_id',
    logColumn: 'experiment_id',
    hint: 'experiment id',
    parameter: { name: 'experimentId', description: 'Traces of this experiment.' },
    facet: 'on request',
    dimension: 'experiment',
    isRolledUp: true,
    exportColumn: 'experimentId',
  },
  evaluator: {
    label: 'Evaluator',
    type: 'list',
    column: 'judges',
    hint: 'evaluator that the trace or one of its logs refers to',
  },
  sampled: {
    label: 'Sampled',
    type: 'flag',
    column: 'sampled',
    hint: 'sampled for evaluation',
    parameter: {
      name: 'sampled',
      description:
        'Traces that were, or were not, sampled for the evaluators that they name. Live rules do not count.',
    },
  },
  start: {
    label: 'Start',
    type: 'instant',
    column: 'start_us',
    sort: 'start',
    exportColumn: 'startTime',
  },
  end: { label: 'End', type: 'instant', column: 'end_us', exportColumn: 'endTime' },
  received: {
    label: 'Received',
    type: 'instant',
    column: 'toUnixTimestamp64Milli(received_at)',
    sort: 'received',
    exportColumn: 'receivedAt',
  },
  cost: {
    label: 'Cost',
    type: 'number',
    unit: 'usd',
    column: 'cost',
    hint: 'in US dollars',
    minimum: { name: 'minCost', description: 'Traces that cost at least this, in US dollars.' },
    maximum: { name: 'maxCost', description: 'Traces that cost at most this, in US dollars.' },
    sort: 'cost',
    exportColumn: 'cost',
  },
  durationMs: {
    label: 'Duration',
    type: 'number',
    unit: 'ms',
    column: 'duration_us / 1000',
    logColumn: 'duration_us / 1000',
    hint: 'from start to end',
    distribution: 'latency',
    minimum: {
      name: 'minDurationMs',
      description: 'Traces that took at least this long, in milliseconds.',
    },
    maximum: { name: 'maxDurationMs', description: 'Traces that took at most this long, in milliseconds.' },
    sort: 'duration',
    exportColumn: 'durationMs',
  },
  timeToFirstTokenMs: {
    label: 'Time to first token',
    type: 'number',
    unit: 'ms',
    logColumn: 'time_to_first_token_ms',
    hint: 'of a generation',
    recordedField: {
      name: 'timeToFirstTokenMs',
      description: 'Time from the start to the first token of the response, in milliseconds.',
    },
    distribution: 'time to first token',
  },
  tokens: {
    label: 'Tokens',
    type: 'number',
    unit: 'tokens',
    column: 'total_tokens',
    hint: 'input and output',
    minimum: {
      name: 'minTokens',
      description: 'Traces with at least this many tokens, input and output.',
    },
    maximum: { name: 'maxTokens', description: 'Traces with at most this many tokens, input and output.' },
    sort: 'tokens',
  },
  inputTokens: {
    label: 'Input tokens',
    type: 'number',
    unit: 'tokens',
    column: 'input_tokens',
    hint: 'input tokens',
    exportColumn: 'inputTokens',
  },
  outputTokens: {
    label: 'Output tokens',
    type: 'number',
    unit: 'tokens',
    column: 'output_tokens',
    hint: 'output tokens',
    exportColumn: 'outputTokens',
  },
  tokensEstimated: {
    label: 'Tokens estimated',
    type: 'flag',
    column: 'tokens_estimated',
    exportColumn: 'tokensEstimated',
  },
  errors: {
    label: 'Errors',
    type: 'number',
    unit: 'count',
    column: 'errors',
    hint: 'number of failed logs',
    sort: 'errors',
    exportColumn: 'errors',
  },
  logs: {
    label: 'Logs',
    type: 'number',
    unit: 'count',
    column: 'log_count',
    hint: 'number of logs',
    exportColumn: 'logCount',
  },
  trace: { label: 'Trace', type: 'text', column: 'toString(trace_id)', hint: 'trace id', exportColumn: 'id' },
  input: { label: 'Input', type: 'json', column: 'input', exportColumn: 'input' },
  output: { label: 'Output', type: 'json', column: 'output', exportColumn: 'output' },
  idealOutput: { label: 'Ideal output', type: 'json', column: 'ideal_output', exportColumn: 'idealOutput' },
  metadata: { label: 'Metadata', type: 'json', column: 'metadata', exportColumn: 'metadata' },
} as const satisfies Readonly<Record<string, TraceField>>

export type TraceFields = typeof traceFields
export type TraceFieldName = keyof TraceFields

/** All fields with their names, for code that handles them alike. */
export const fieldEntries: readonly (readonly [name: TraceFieldName, field: TraceField])[] =
  // Safe: the names are those of the object.
  Object.entries(traceFields) as [TraceFieldName, TraceField][]
