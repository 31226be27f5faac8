/**
 * The address of every operation and nothing else, so that a client can be built of it which carries no schemas.
 * The type checker asks for each operation of the table; a test compares what it says with the operations.
 */
import type { Method } from './operation.ts'
import type { operations } from './operations.ts'

export { fillPath, inputTravelsInQuery, pathFields } from './operation.ts'

type Operations = typeof operations
type Addresses = {
  readonly [Resource in keyof Operations]: {
    readonly [Verb in keyof Operations[Resource]]: `${Method} /${string}`
  }
}

/** Method and path of each operation, by resource and verb: `paths.prompts.get` is `GET /prompts/{slug}`. */
export const paths = {
  monitor: {
    trace: 'POST /monitor/trace',
    log: 'POST /monitor/log',
  },
  traces: {
    list: 'GET /monitor/traces',
    facets: 'GET /monitor/traces/facets',
    histogram: 'GET /monitor/traces/histogram',
    percentiles: 'GET /monitor/traces/{id}/percentiles',
    get: 'GET /monitor/traces/{id}',
    delete: 'DELETE /monitor/traces/{id}',
    export: 'GET /monitor/traces/export',
  },
  conversations: { list: 'GET /monitor/conversations', get: 'GET /monitor/conversations/{id}' },
  users: { list: 'GET /monitor/users' },
  organizations: { list: 'GET /monitor/organizations' },
  scores: {
    list: 'GET /scores',
    create: 'POST /scores',
    update: 'PATCH /scores/{id}',
    delete: 'DELETE /scores/{id}',
  },
  metrics: {
    query: 'GET /metrics/query',
    explain: 'GET /metrics/explain',
  },
  ledger: {
    list: 'GET /monitor/ledger',
  },
  prompts: {
    list: 'GET /prompts',
    get: 'GET /prompts/{slug}',
    describe: 'GET /prompts/{slug}/describe',
    create: 'POST /prompts',
    update: 'PATCH /prompts/{slug}',
    publish: 'POST /prompts/{slug}/publish',
    delete: 'DELETE /prompts/{slug}',
    archive: 'POST /prompts/{slug}/archive',
    restore: 'POST /prompts/{slug}/restore',
    history: 'GET /prompts/{slug}/history',
    diff: 'GET /prompts/{slug}/diff',
    usage: 'GET /prompts/{slug}/usage',
  },
  rollouts: {
    list: 'GET /rollouts',
    get: 'GET /rollouts/{id}',
    create: 'POST /rollouts',
    update: 'PATCH /rollouts/{id}',
    promote: 'POST /rollouts/{id}/promote',
    rollback: 'POST /rollouts/{id}/rollback',
    compare: 'GET /rollouts/{id}/compare',
  },
  versions: {
    list: 'GET /prompts/{slug}/versions',
    get: 'GET /prompts/{slug}/versions/{version}',
    create: 'POST /prompts/{slug}/versions',
  },
  datasets: {
    list: 'GET /datasets',
    get: 'GET /datasets/{slug}',
    create: 'POST /datasets',
    update: 'PATCH /datasets/{slug}',
    delete: 'DELETE /datasets/{slug}',
    rows: 'GET /datasets/{slug}/items',
    add: 'POST /datasets/{slug}/items',
    export: 'GET /datasets/{slug}/export',
    append: 'POST /datasets/{slug}/items/bulk',
    collect: 'POST /datasets/{slug}/items/from-traces',
    change: 'PATCH /datasets/{slug}/items/{id}',
    discard: 'POST /datasets/{slug}/items/discard',
  },
  files: {
    sign: 'POST /files/generate-upload-url',
    get: 'GET /files/{fileKey}',
    delete: 'DELETE /files/{fileKey}',
  },
  exchange: {
    export: 'GET /export',
    import: 'POST /import',
  },
  experiments: {
    list: 'GET /monitor/experiments',
    get: 'GET /monitor/experiments/{id}',
    update: 'PATCH /monitor/experiments/{id}',
    delete: 'DELETE /monitor/experiments/{id}',
    compare: 'GET /monitor/experiments/compare',
    create: 'POST /monitor/experiments',
    attach: 'POST /monitor/experiments/{id}/traces',
    judging: 'GET /monitor/experiments/{id}/judging',
  },
  experimentRuns: {
    list: 'GET /experiment-runs',
    get: 'GET /experiment-runs/{id}',
    create: 'POST /experiment-runs',
    cancel: 'POST /experiment-runs/{id}/cancel',
    retry: 'POST /experiment-runs/{id}/retry',
    cases: 'GET /experiment-runs/{id}/cases',
  },
  evaluators: {
    list: 'GET /evaluators',
    templates: 'GET /evaluator-templates',
    get: 'GET /evaluators/{slug}',
    create: 'POST /evaluators',
    update: 'PATCH /evaluators/{slug}',
    delete: 'DELETE /evaluators/{slug}',
    test: 'POST /evaluators/test',
    agreement: 'GET /evaluators/{slug}/agreement',
    versions: 'GET /evaluators/{slug}/versions',
    sampling: 'GET /evaluators/{slug}/sampling',
  },
  evaluations: {
    list: 'GET /evaluations',
    create: 'POST /evaluations',
    retry: 'POST /evaluations/retry',
  },
  alerts: {
    list: 'GET /alerts',
    get: 'GET /alerts/{id}',
    create: 'POST /alerts',
    update: 'PATCH /alerts/{id}',
    delete: 'DELETE /alerts/{id}',
    preview: 'GET /alerts/preview',
    history: 'GET /alerts/history',
    retry: 'POST /alerts/notifications/{id}/retry',
  },
  channels: {
    list: 'GET /channels',
    create: 'POST /channels',
    update: 'PATCH /channels/{id}',
    rotate: 'POST /channels/{id}/rotate',
    delete: 'DELETE /channels/{id}',
    test: 'POST /channels/{id}/test',
  },
  annotationQueues: {
    list: 'GET /annotation-queues',
    get: 'GET /annotation-queues/{id}',
    create: 'POST /annotation-queues',
    update: 'PATCH /annotation-queues/{id}',
    delete: 'DELETE /annotation-queues/{id}',
    add: 'POST /annotation-queues/{id}/items',
    remove: 'POST /annotation-queues/{id}/items/remove',
    items: 'GET /annotation-queues/{id}/items',
    next: 'POST /annotation-queues/{id}/next',
    submit: 'POST /annotation-queues/{id}/items/{itemId}/submit',
    skip: 'POST /annotation-queues/{id}/items/{itemId}/skip',
    undo: 'POST /annotation-queues/{id}/undo',
    agreement: 'GET /annotation-queues/{id}/agreement',
  },
  deletions: {
    preview: 'POST /deletions/preview',
    create: 'POST /deletions',
    list: 'GET /deletions',
    get: 'GET /deletions/{id}',
  },
  erasures: {
    preview: 'POST /erasures/preview',
    create: 'POST /erasures',
    list: 'GET /erasures',
    get: 'GET /erasures/{id}',
  },
  features: {
    list: 'GET /features',
    create: 'POST /features',
    delete: 'DELETE /features/{slug}',
  },
  keys: {
    list: 'GET /api-keys',
    create: 'POST /api-keys',
    delete: 'DELETE /api-keys/{id}',
  },
  jobs: {
    list: 'GET /jobs',
    counts: 'GET /jobs/counts',
    get: 'GET /jobs/{id}',
    retry: 'POST /jobs/{id}/retry',
    cancel: 'POST /jobs/{id}/cancel',
  },
  addresses: {
    get: 'GET /addresses',
  },
  session: {
    get: 'GET /session',
  },
  workspaces: {
    list: 'GET /workspaces',
    create: 'POST /workspaces',
    get: 'GET /workspace',
    update: 'PATCH /workspace',
    delete: 'POST /workspace/delete',
  },
  accounts: {
    list: 'GET /accounts',
    lock: 'POST /accounts/{id}/lock',
    unlock: 'POST /accounts/{id}/unlock',
    delete: 'DELETE /accounts/{id}',
  },
  members: {
    list: 'GET /members',
    update: 'PATCH /members/{id}',
    delete: 'DELETE /members/{id}',
    reset: 'POST /members/{id}/reset',
  },
  invitations: {
    list: 'GET /invitations',
    create: 'POST /invitations',
    delete: 'DELETE /invitations/{id}',
    accept: 'POST /invitations/accept',
  },
  connections: {
    list: 'GET /connections',
    create: 'POST /connections',
    update: 'PATCH /connections/{id}',
    delete: 'DELETE /connections/{id}',
    test: 'POST /connections/{id}/test',
  },
  playground: {
    run: 'POST /playground/run',
  },
  replays: { create: 'POST /prompts/{slug}/replays' },
  approvals: {
    tags: 'GET /approvals/tags',
    configure: 'PUT /approvals/tags',
    list: 'GET /approvals',
    create: 'POST /approvals',
    decide: 'POST /approvals/{id}/decide',
  },
  audit: {
    list: 'GET /audit',
    everywhere: 'GET /audit/everywhere',
    export: 'GET /audit/export',
    settings: 'GET /audit/settings',
    configure: 'PATCH /audit/settings',
  },
  masking: { get: 'GET /masking', update: 'PUT /masking', rehearse: 'POST /masking/rehearse' },
  retention: {
    get: 'GET /retention',
    preview: 'POST /retention/preview',
    update: 'PATCH /retention',
  },
  shares: { list: 'GET /shares', create: 'POST /shares', delete: 'DELETE /shares/{id}' },
  comments: {
    list: 'GET /comments',
    mentions: 'GET /comments/mentions',
    acknowledge: 'POST /comments/mentions/acknowledge',
    create: 'POST /comments',
    update: 'PATCH /comments/{id}',
    delete: 'DELETE /comments/{id}',
  },
  dashboards: {
    list: 'GET /dashboards',
    get: 'GET /dashboards/{slug}',
    create: 'POST /dashboards',
    update: 'PATCH /dashboards/{slug}',
    delete: 'DELETE /dashboards/{slug}',
  },
  views: {
    list: 'GET /views',
    create: 'POST /views',
    update: 'PATCH /views/{id}',
    delete: 'DELETE /views/{id}',
  },
  prices: {
    find: 'GET /prices',
    list: 'GET /price-overrides',
    create: 'POST /price-overrides',
    delete: 'DELETE /price-overrides/{id}',
    lists: 'GET /price-lists',
    update: 'POST /price-lists',
  },
  recomputations: {
    create: 'POST /recomputations',
    list: 'GET /recomputations',
    get: 'GET /recomputations/{id}',
    apply: 'POST /recomputations/{id}/apply',
  },
} as const satisfies Addresses
