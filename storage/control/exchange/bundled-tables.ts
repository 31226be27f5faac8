/**
 * The tables of a workspace, for export and import. A test compares this list with `schema.sql`: a new table is either
 * exported or excluded for a reason.
 */

/** How to export one table; `workspace_id` is never among the columns. */
export interface BundledTable {
  readonly columns: readonly string[]
  /** The columns that identify a row within its workspace; rows are read in their order. */
  readonly key: readonly string[]
  /** Whether `id` is unique across workspaces, so that another workspace may already use it. */
  readonly hasId: boolean
  /** Columns that refer to a row of another table: by its `id`, or by its slug, which stays the same. */
  readonly parents: readonly {
    readonly column: string
    readonly table: string
    readonly parentKey: 'id' | 'slug'
  }[]
  /** Values of columns that bundles of older versions do not have. */
  readonly defaults: Readonly<Record<string, number>>
}

const table = (
  columns: string,
  key: string,
  options: Partial<Pick<BundledTable, 'hasId' | 'parents' | 'defaults'>> = {},
): BundledTable => ({
  columns: columns.split(' '),
  key: key.split(' '),
  hasId: false,
  parents: [],
  defaults: {},
  ...options,
})

const ofFeature = [{ column: 'feature_slug', table: 'features', parentKey: 'slug' }] as const
const ofPrompt = [{ column: 'prompt_id', table: 'prompts', parentKey: 'id' }] as const
const ofDataset = [{ column: 'dataset_id', table: 'datasets', parentKey: 'id' }] as const

/** By name, in the order of import: parents before children. */
export const bundledTables: Readonly<Record<string, BundledTable>> = {
  features: table('slug name description created_at', 'slug'),
  prompts: table('id slug name description feature_slug version_count created_at archived_at folder', 'id', {
    hasId: true,
    parents: ofFeature,
  }),
  prompt_versions: table(
    'id prompt_id ordinal version text system_text model variables message created_at created_by messages config',
    'prompt_id ordinal',
    { hasId: true, parents: ofPrompt },
  ),
  prompt_tags: table('id prompt_id label version', 'prompt_id label', { hasId: true, parents: ofPrompt }),
  prompt_tag_moves: table(
    'prompt_id ordinal label from_version to_version moved_at moved_by',
    'prompt_id ordinal',
    {
      parents: ofPrompt,
    },
  ),
  datasets: table('id slug name columns row_count last_position last_version created_at', 'id', {
    hasId: true,
    defaults: { last_version: 0 },
  }),
  dataset_rows: table(
    'dataset_id position id name row_values ideal_output metadata split labels since_version created_at',
    'dataset_id position',
    { parents: ofDataset, defaults: { since_version: 1 } },
  ),
  dataset_row_history: table(
    'dataset_id position since_version until_version id name row_values ideal_output metadata split labels created_at',
    'dataset_id position since_version',
    { parents: ofDataset },
  ),
  // After the rows: a dataset that already has versions here accepts rows only as new ones.
  dataset_versions: table(
    'dataset_id version columns row_count note created_by created_at',
    'dataset_id version',
    { parents: ofDataset },
  ),
  evaluators: table('id slug name kind config sample_rate live_rule version created_at', 'id', {
    hasId: true,
  }),
  evaluator_versions: table(
    'evaluator_id version kind config created_at created_by',
    'evaluator_id version',
    {
      parents: [{ column: 'evaluator_id', table: 'evaluators', parentKey: 'id' }],
    },
  ),
  experiments: table('id feature_slug name created_at', 'id', { hasId: true, parents: ofFeature }),
  price_overrides: table(
    'id provider model starts_at input_per_million output_per_million cache_read_per_million cache_write_per_million reasoning_per_million created_at',
    'id',
    { hasId: true },
  ),
  dashboards: table('id slug name description charts revision created_at updated_at', 'id', { hasId: true }),
  views: table('id name page search created_at', 'id', { hasId: true }),
  annotation_queues: table(
    'id name instructions evaluator_slugs annotators_per_item feed fed_until created_at',
    'id',
    { hasId: true },
  ),
  annotation_items: table('id queue_id trace_id log_id judged added_at judged_at removed_at', 'id', {
    hasId: true,
    parents: [{ column: 'queue_id', table: 'annotation_queues', parentKey: 'id' }],
  }),
  alerts: table('id name note rule is_enabled muted_until created_at', 'id', { hasId: true }),
  files: table('file_key file_name content_type size_bytes created_at uploaded_at', 'file_key'),
}

/** Tables that are not exported, each with the reason. */
export const tablesLeftOut: Readonly<Record<string, string>> = {
  workspaces: 'The rows go into an existing workspace.',
  api_keys: 'A key is valid only in the installation that issued it.',
  idempotent_requests: 'Responses to retries of the last day, by API key.',
  ledger_hours: 'Records that this service received, by API key.',
  ledger_rejections: 'Records that this service received, by API key.',
  ledger_batches: 'Spool bookkeeping of this service.',
  file_hashes: 'Which bytes this service has to keep on disk; made when they arrive.',
  file_contents: 'File contents are lines of the bundle, wherever a service stores them.',
  file_chunks: 'File contents are lines of the bundle, wherever a service stores them.',
  secrets: 'Keys of this installation.',
  shares: 'Links of this installation.',
  protected_tags: 'Approvals concern the people of this installation.',
  approvals: 'Like the protected tags.',
  comments: 'Written by people of this installation, who are invited separately elsewhere.',
  comment_mentions: 'People belong to the installation.',
  people: 'People belong to the installation.',
  deleted_people: 'People belong to the installation.',
  person_accounts: 'People belong to the installation.',
  person_sessions: 'People belong to the installation.',
  one_time_links: 'People belong to the installation.',
  members: 'People are invited separately.',
  invitations: 'People are invited separately.',
  assemblies: 'Bookkeeping of spans that are still in this trace store.',
  assembly_turn: 'Bookkeeping of this installation.',
  assembly_plans: 'Bookkeeping of this installation.',
  evaluations: 'Evaluations are not repeated: their scores come with the traces.',
  evaluation_arrivals: 'Bookkeeping of the evaluation queue.',
  evaluation_groups: 'Bookkeeping of the evaluation queue.',
  evaluation_spend: 'What this installation spent on evaluations.',
  experiment_runs: 'What a run recorded comes with the traces; its progress belongs to this installation.',
  experiment_run_rows: 'Like the runs.',
  experiment_run_cases: 'Like the runs.',
  experiment_attachments: 'Traces name the experiment that they belong to.',
  annotation_assignments: 'People are invited separately; their scores come with the traces.',
  masking_rules: 'Each workspace decides what may be stored in it; its rules apply to an import.',
  connections: 'The key to a provider is sealed, and only this installation can open it.',
  rollouts:
    'Percentages of the clients of this service; elsewhere, a tag serves the version that carries it.',
  rollout_shares: 'Part of the rollouts, which are left out.',
  rollout_alerts: 'Part of the rollouts, which are left out.',
  prompt_fetches: 'Fetches from this service, by API key.',
  channels: 'The address is sealed, and only this installation can open it.',
  alert_channels: 'The channels are left out.',
  alert_states: 'The other installation checks the alert from scratch.',
  alert_events: 'What this service has reported.',
  notifications: 'What this service has reported.',
  jobs: 'Work of this installation.',
  audit_entries: 'Who did what in this installation; only actions here may add entries.',
  audit_states: 'Part of the audit log, which is left out.',
  audit_intents: 'Part of the audit log, which is left out.',
  audit_retention: 'Part of the audit log, which is left out.',
  audit_webhooks: 'The address is sealed, and only this installation can open it.',
  deletions: 'What this service has deleted.',
  price_lists: 'Belongs to the installation, for all workspaces.',
  recomputations: 'What this service has computed.',
}
