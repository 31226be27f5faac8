/** Every operation of the interface, by resource: the source of the routes, the client and the OpenAPI document. */
import * as accounts from '../accounts/accounts.ts'
import * as audit from '../accounts/audit.ts'
import * as connections from '../accounts/connections.ts'
import * as invitations from '../accounts/invitations.ts'
import * as keys from '../accounts/keys.ts'
import * as members from '../accounts/members.ts'
import * as session from '../accounts/session.ts'
import * as workspaces from '../accounts/workspaces.ts'
import * as annotationQueues from '../evaluate/annotation-queues.ts'
import * as datasetVersions from '../evaluate/dataset-versions.ts'
import * as datasets from '../evaluate/datasets.ts'
import * as evaluations from '../evaluate/evaluations.ts'
import * as evaluators from '../evaluate/evaluators.ts'
import * as experimentRuns from '../evaluate/experiment-runs.ts'
import * as experiments from '../evaluate/experiments.ts'
import * as files from '../evaluate/files.ts'
import * as judgeAgreement from '../evaluate/judge-agreement.ts'
import * as scores from '../evaluate/scores.ts'
import * as alerts from '../observe/alerts.ts'
import * as channels from '../observe/channels.ts'
import * as comments from '../observe/comments.ts'
import * as conversations from '../observe/conversations.ts'
import * as dashboards from '../observe/dashboards.ts'
import * as organizations from '../observe/organizations.ts'
import * as shares from '../observe/shares.ts'
import * as users from '../observe/users.ts'
import * as views from '../observe/views.ts'
import * as addresses from '../operate/addresses.ts'
import * as capacity from '../operate/capacity.ts'
import * as deletions from '../operate/deletions.ts'
import * as erasures from '../operate/erasures.ts'
import * as exchange from '../operate/exchange.ts'
import * as jobs from '../operate/jobs.ts'
import * as retention from '../operate/retention.ts'
import * as approvals from '../prompts/approvals.ts'
import * as features from '../prompts/features.ts'
import * as playground from '../prompts/playground.ts'
import * as prompts from '../prompts/prompts.ts'
import * as replays from '../prompts/replays.ts'
import * as rollouts from '../prompts/rollouts.ts'
import * as versions from '../prompts/versions.ts'
import * as ledger from '../traces/ledger.ts'
import * as logs from '../traces/logs.ts'
import * as masking from '../traces/masking.ts'
import * as metrics from '../traces/metrics.ts'
import * as monitor from '../traces/monitor.ts'
import * as prices from '../traces/prices.ts'
import * as recomputations from '../traces/recomputations.ts'
import * as traceOutline from '../traces/trace-outline.ts'
import * as traces from '../traces/traces.ts'
import type { Operation } from './operation.ts'

export const operations = {
  monitor: { trace: monitor.trace, log: monitor.log },
  traces: {
    list: traces.list,
    facets: traces.facets,
    histogram: traces.histogram,
    percentiles: traces.percentiles,
    get: traces.get,
    outline: traceOutline.outline,
    delete: traces.delete,
    export: traces.export,
  },
  logs: { list: logs.list, get: logs.get },
  conversations: { list: conversations.list, get: conversations.get },
  users: { list: users.list },
  organizations: { list: organizations.list },
  deletions: {
    preview: deletions.preview,
    create: deletions.create,
    list: deletions.list,
    get: deletions.get,
  },
  erasures: {
    preview: erasures.preview,
    create: erasures.create,
    list: erasures.list,
    get: erasures.get,
  },
  scores: { list: scores.list, create: scores.create, update: scores.update, delete: scores.delete },
  metrics: { query: metrics.query, explain: metrics.explain },
  shares: { list: shares.list, create: shares.create, delete: shares.delete },
  comments: {
    list: comments.list,
    mentions: comments.mentions,
    acknowledge: comments.acknowledge,
    create: comments.create,
    update: comments.update,
    delete: comments.delete,
  },
  dashboards: {
    list: dashboards.list,
    get: dashboards.get,
    create: dashboards.create,
    update: dashboards.update,
    delete: dashboards.delete,
  },
  ledger: { list: ledger.list },
  masking: { get: masking.get, update: masking.update, rehearse: masking.rehearse },
  prompts: {
    list: prompts.list,
    get: prompts.get,
    describe: prompts.describe,
    create: prompts.create,
    update: prompts.update,
    delete: prompts.delete,
    publish: prompts.publish,
    archive: prompts.archive,
    restore: prompts.restore,
    history: prompts.history,
    diff: prompts.diff,
    usage: prompts.usage,
  },
  rollouts: {
    list: rollouts.list,
    get: rollouts.get,
    create: rollouts.create,
    update: rollouts.update,
    promote: rollouts.promote,
    rollback: rollouts.rollback,
    compare: rollouts.compare,
  },
  versions: { list: versions.list, get: versions.get, create: versions.create },
  datasets: {
    list: datasets.list,
    get: datasets.get,
    create: datasets.create,
    update: datasets.update,
    delete: datasets.delete,
    rows: datasets.rows,
    add: datasets.add,
    export: datasets.export,
    facets: datasets.facets,
    append: datasets.append,
    collect: datasets.collect,
    change: datasets.change,
    discard: datasets.discard,
  },
  datasetVersions: {
    list: datasetVersions.list,
    create: datasetVersions.create,
    compare: datasetVersions.compare,
    restore: datasetVersions.restore,
  },
  files: { sign: files.sign, get: files.get, delete: files.delete },
  exchange: { export: exchange.export, import: exchange.import },
  experiments: {
    update: experiments.update,
    delete: experiments.delete,
    compare: experiments.compare,
    list: experiments.list,
    get: experiments.get,
    create: experiments.create,
    attach: experiments.attach,
    judging: experiments.judging,
  },
  experimentRuns: {
    list: experimentRuns.list,
    get: experimentRuns.get,
    create: experimentRuns.create,
    cancel: experimentRuns.cancel,
    retry: experimentRuns.retry,
    cases: experimentRuns.cases,
  },
  evaluators: {
    templates: evaluators.templates,
    get: evaluators.get,
    update: evaluators.update,
    delete: evaluators.delete,
    test: evaluators.test,
    estimate: evaluators.estimate,
    versions: evaluators.versions,
    sampling: evaluators.sampling,
    list: evaluators.list,
    create: evaluators.create,
    agreement: judgeAgreement.agreement,
  },
  evaluations: { list: evaluations.list, create: evaluations.create, retry: evaluations.retry },
  alerts: {
    list: alerts.list,
    get: alerts.get,
    create: alerts.create,
    update: alerts.update,
    delete: alerts.delete,
    preview: alerts.preview,
    history: alerts.history,
    retry: alerts.retry,
  },
  channels: {
    list: channels.list,
    create: channels.create,
    update: channels.update,
    rotate: channels.rotate,
    delete: channels.delete,
    test: channels.test,
  },
  annotationQueues: {
    list: annotationQueues.list,
    get: annotationQueues.get,
    create: annotationQueues.create,
    update: annotationQueues.update,
    delete: annotationQueues.delete,
    add: annotationQueues.add,
    remove: annotationQueues.remove,
    items: annotationQueues.items,
    next: annotationQueues.next,
    submit: annotationQueues.submit,
    skip: annotationQueues.skip,
    undo: annotationQueues.undo,
    agreement: annotationQueues.agreement,
  },
  features: { list: features.list, create: features.create, delete: features.delete },
  keys: { list: keys.list, create: keys.create, delete: keys.delete },
  session: { get: session.get },
  workspaces: {
    list: workspaces.list,
    create: workspaces.create,
    get: workspaces.get,
    update: workspaces.update,
    delete: workspaces.delete,
  },
  accounts: {
    list: accounts.list,
    lock: accounts.lock,
    unlock: accounts.unlock,
    delete: accounts.delete,
  },
  members: { list: members.list, update: members.update, delete: members.delete, reset: members.reset },
  invitations: {
    list: invitations.list,
    create: invitations.create,
    delete: invitations.delete,
    accept: invitations.accept,
  },
  connections: {
    list: connections.list,
    create: connections.create,
    update: connections.update,
    delete: connections.delete,
    test: connections.test,
  },
  playground: { run: playground.run },
  replays: { create: replays.create },
  approvals: {
    tags: approvals.tags,
    configure: approvals.configure,
    list: approvals.list,
    create: approvals.create,
    decide: approvals.decide,
  },
  jobs: { list: jobs.list, counts: jobs.counts, get: jobs.get, retry: jobs.retry, cancel: jobs.cancel },
  addresses: { get: addresses.get },
  capacity: { get: capacity.get },
  audit: {
    list: audit.list,
    everywhere: audit.everywhere,
    export: audit.export,
    settings: audit.settings,
    configure: audit.configure,
  },
  retention: { get: retention.get, preview: retention.preview, update: retention.update },
  views: { list: views.list, create: views.create, update: views.update, delete: views.delete },
  prices: {
    find: prices.find,
    list: prices.list,
    create: prices.create,
    delete: prices.delete,
    lists: prices.lists,
    update: prices.update,
  },
  recomputations: {
    create: recomputations.create,
    list: recomputations.list,
    get: recomputations.get,
    apply: recomputations.apply,
  },
} as const

/** The same operations as a flat list. */
export const allOperations: readonly Operation[] = Object.values(operations).flatMap((resource) =>
  Object.values(resource as Record<string, Operation>),
)
