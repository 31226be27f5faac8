/**
 * A bundle is input like any other: a row is accepted if the interface would have accepted its contents, by the same schemas
 * and rules. Columns that the interface does not accept in stored form, such as times and counts, are defined here.
 */
import {
  type AnnotationFeed,
  type Column,
  type Evaluator,
  type InputOf,
  invalid,
  type LiveRule,
  operations,
  ServiceError,
} from '@plumbline/contract'
import { type BundledRow, bundledTables } from '@plumbline/storage/control'
import { parseJsonText } from '@plumbline/storage/parse-json-text'
import { checkColumns } from '../../datasets/datasets/summary.ts'
import { readFileKey } from '../../datasets/files/file-key.ts'
import { checkedFeed } from '../../evaluate/annotation-queues/feed.ts'
import { checkJudge } from '../../evaluate/evaluators/check-config.ts'
import { checkLiveRule } from '../../evaluate/evaluators/live-rule.ts'
import { readRule } from '../../observe/alerts/rule.ts'
import { makeObjectCheck } from '../../requests/validate.ts'
import type { Workspace } from '../../workspace/workspace.ts'

const text = { type: 'string' }
const time = { type: 'integer', minimum: -62_135_596_800_000, maximum: 253_402_300_799_999 }
const count = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }
const ordinal = { ...count, minimum: 1 }
const id = { type: 'string', minLength: 1, maxLength: 128, pattern: '^[^\\s\\u0000-\\u001f\\u007f]+$' }
const label = operations.prompts.publish.input.properties.newTag
const jsonObject = { type: 'object' }

const typesOf = (schema: { readonly type?: unknown }): unknown[] => [schema.type].flat()
const orNull = (schema: object): object => ({ ...schema, type: [...typesOf(schema), 'null'] })
/** Fields that a request may omit are null in a row. */
const withoutNull = (schema: object): object => ({
  ...schema,
  type: typesOf(schema).find((type) => type !== 'null'),
})
/** A column with JSON text; its contents are validated. */
class JsonColumn {
  readonly schema: object
  constructor(schema: object, { isOptional = false } = {}) {
    this.schema = isOptional ? { anyOf: [schema, { type: 'null' }] } : schema
  }
}
const json = (schema: object): JsonColumn => new JsonColumn(schema)
const optionalJson = (schema: object): JsonColumn => new JsonColumn(schema, { isOptional: true })

const { features, prompts, versions, datasets, evaluators, experiments } = operations
const feature = features.create.input.properties
const prompt = prompts.create.input.properties
const version = versions.create.input.properties
const dataset = datasets.create.input.properties
const evaluator = evaluators.create.input.properties
const price = operations.prices.create.input.properties
const view = operations.views.create.input.properties
const dashboard = operations.dashboards.create.input.properties
const queue = operations.annotationQueues.create.input.properties
const {
  name: alertName,
  note,
  channelIds,
  isEnabled,
  ...ruleFields
} = operations.alerts.create.input.properties
const file = operations.files.sign.input.properties

const rule = {
  type: 'object',
  properties: ruleFields,
  required: ['measure', 'windowMinutes', 'condition', 'threshold'],
}
const feed = {
  type: 'object',
  properties: { feed: withoutNull(queue.feed), since: { type: 'string' } },
  required: ['feed', 'since'],
}
const variables = {
  type: 'array',
  items: { type: 'object', properties: { label: text }, required: ['label'] },
}

const rowOfDataset = {
  dataset_id: id,
  position: ordinal,
  id,
  name: orNull(text),
  row_values: json(jsonObject),
  ideal_output: orNull(text),
  metadata: optionalJson(jsonObject),
  split: orNull(withoutNull(datasets.add.input.properties.split)),
  labels: optionalJson(withoutNull(datasets.add.input.properties.labels)),
  created_at: time,
}

const columns: Readonly<Record<string, Readonly<Record<string, object>>>> = {
  features: { slug: feature.slug, name: feature.name, description: text, created_at: time },
  prompts: {
    id,
    slug: prompt.slug,
    name: prompt.name,
    description: text,
    feature_slug: orNull(text),
    version_count: count,
    created_at: time,
    archived_at: orNull(time),
    folder: orNull(withoutNull(prompt.folder)),
  },
  prompt_versions: {
    id,
    prompt_id: id,
    ordinal,
    version: withoutNull(version.version),
    text: withoutNull(version.text),
    system_text: text,
    model: json(versions.get.output.properties.version.properties.model),
    variables: optionalJson(variables),
    message: text,
    created_at: time,
    created_by: orNull(text),
    messages: optionalJson(version.messages),
    config: optionalJson(version.config),
  },
  prompt_tags: { id, prompt_id: id, label, version: text },
  prompt_tag_moves: {
    prompt_id: id,
    ordinal,
    label,
    from_version: orNull(text),
    to_version: text,
    moved_at: time,
    moved_by: orNull(text),
  },
  datasets: {
    id,
    slug: dataset.slug,
    name: dataset.name,
    columns: json(dataset.columns),
    row_count: count,
    last_position: count,
    last_version: count,
    created_at: time,
  },
  dataset_rows: { ...rowOfDataset, since_version: ordinal },
  dataset_row_history: { ...rowOfDataset, since_version: ordinal, until_version: ordinal },
  dataset_versions: {
    dataset_id: id,
    version: ordinal,
    columns: json(dataset.columns),
    row_count: count,
    note: withoutNull(operations.datasetVersions.create.input.properties.note),
    created_by: text,
    created_at: time,
  },
  evaluators: {
    id,
    slug: evaluator.slug,
    name: evaluator.name,
    kind: evaluator.kind,
    config: json(jsonObject),
    sample_rate: withoutNull(evaluator.sampleRate),
    live_rule: json(evaluator.liveRule),
    version: ordinal,
    created_at: time,
  },
  evaluator_versions: {
    evaluator_id: id,
    version: ordinal,
    kind: evaluator.kind,
    config: json(jsonObject),
    created_at: time,
    created_by: orNull(text),
  },
  experiments: { id, feature_slug: text, name: experiments.create.input.properties.name, created_at: time },
  price_overrides: {
    id,
    provider: price.provider,
    model: price.model,
    starts_at: orNull(time),
    input_per_million: price.inputPerMillion,
    output_per_million: price.outputPerMillion,
    cache_read_per_million: price.cacheReadPerMillion,
    cache_write_per_million: price.cacheWritePerMillion,
    reasoning_per_million: price.reasoningPerMillion,
    created_at: time,
  },
  dashboards: {
    id,
    slug: dashboard.slug,
    name: dashboard.name,
    description: withoutNull(dashboard.description),
    charts: json(withoutNull(dashboard.charts)),
    revision: ordinal,
    created_at: time,
    updated_at: time,
  },
  views: { id, name: view.name, page: view.page, search: view.search, created_at: time },
  annotation_queues: {
    id,
    name: queue.name,
    instructions: withoutNull(queue.instructions),
    evaluator_slugs: json(queue.evaluatorSlugs),
    annotators_per_item: withoutNull(queue.annotatorsPerItem),
    feed: optionalJson(feed),
    fed_until: time,
    created_at: time,
  },
  annotation_items: {
    id,
    queue_id: id,
    trace_id: id,
    log_id: text,
    judged: count,
    added_at: time,
    judged_at: orNull(time),
    removed_at: orNull(time),
  },
  alerts: {
    id,
    name: alertName,
    note: withoutNull(note),
    rule: json(rule),
    is_enabled: { type: 'integer', minimum: 0, maximum: 1 },
    muted_until: orNull(time),
    created_at: time,
  },
  files: {
    file_key: text,
    file_name: file.fileName,
    content_type: file.contentType,
    size_bytes: orNull(count),
    created_at: time,
    uploaded_at: orNull(time),
  },
}

type Fields = Readonly<Record<string, unknown>>

/** One validator per table, for all columns together, with parsed JSON in place of its text. */
const checks = new Map(
  Object.entries(bundledTables).map(([table, { columns: names }]) => {
    const columnChecks = columns[table] ?? {}
    const properties = Object.fromEntries(
      names.map((name) => {
        const column = columnChecks[name]
        if (column === undefined) throw new Error(`No check is stated for ${table}.${name}.`)
        return [name, column instanceof JsonColumn ? column.schema : column]
      }),
    )
    return [table, makeObjectCheck<Fields>({ type: 'object', properties, required: [...names] }, 'row')]
  }),
)

/** The row with only the columns of its table; throws `invalid_request` if the interface would not accept it. */
export async function checkRow(
  table: string,
  row: Fields,
  { sandbox }: Pick<Workspace, 'sandbox'>,
): Promise<BundledRow> {
  const columnChecks = columns[table]!
  const { columns: ownColumns, defaults } = bundledTables[table]!
  const bare = Object.fromEntries(ownColumns.map((name) => [name, row[name] ?? defaults[name] ?? null]))
  const parsed = Object.fromEntries(
    ownColumns.map((name) => [
      name,
      columnChecks[name] instanceof JsonColumn ? parse(bare[name], name) : bare[name],
    ]),
  )
  await checkRules(table, checks.get(table)!(parsed), sandbox)
  // Safe: each column was checked to be a string, a number or null, or is the text that was parsed.
  return bare as BundledRow
}

/** Rules that the schemas cannot express. */
async function checkRules(table: string, row: Fields, sandbox: Workspace['sandbox']): Promise<void> {
  switch (table) {
    case 'files':
      if (readFileKey(row.file_key) === undefined)
        throw invalid('row.file_key', 'must be a key made by a Plumbline service')
      return
    // Safe, as in the other cases: the schema has just been checked.
    case 'datasets':
    case 'dataset_versions':
      return checkColumns(row.columns as Column[])
    case 'evaluators':
      if (row.live_rule !== null) checkLiveRule(row.live_rule as LiveRule)
      return checkJudge(row.kind as Evaluator['kind'], row.config as Evaluator['config'], sandbox)
    case 'evaluator_versions':
      return checkJudge(row.kind as Evaluator['kind'], row.config as Evaluator['config'], sandbox)
    case 'alerts':
      readRule(row.rule as Omit<InputOf<typeof operations.alerts.create>, 'name'>)
      return
    case 'annotation_queues': {
      if (row.feed === null) return
      const { feed: added, since } = row.feed as { feed: AnnotationFeed; since: string }
      checkedFeed(added)
      if (Number.isNaN(Date.parse(since))) throw invalid('row.feed.since', 'must be a time')
    }
  }
}

function parse(value: unknown, column: string): unknown {
  if (value === null) return null
  if (typeof value !== 'string') throw invalid(`row.${column}`, 'must be JSON text')
  try {
    return parseJsonText(value)
  } catch {
    throw invalid(`row.${column}`, 'must be JSON text')
  }
}

/** The message of a refusal; any other error is a failure, and rethrown. */
export function reasonOf(error: unknown): string {
  if (error instanceof ServiceError && error.code === 'invalid_request') return error.message
  throw error
}
