import * as apiKeys from '../accounts/api-keys.ts'
import * as invitations from '../accounts/invitations.ts'
import * as members from '../accounts/members.ts'
import { peopleStore } from '../accounts/people-store.ts'
import { alertChecks } from '../alerts/alert-checks.ts'
import * as alertEvents from '../alerts/alert-events.ts'
import * as alerts from '../alerts/alerts.ts'
import * as channels from '../alerts/channels.ts'
import { notifications } from '../alerts/notifications.ts'
import * as annotationAssignments from '../annotation/annotation-assignments.ts'
import * as annotationItems from '../annotation/annotation-items.ts'
import * as annotationQueues from '../annotation/annotation-queues.ts'
import { writingIntents } from '../audit/audit-intents.ts'
import { list as listAuditEntries } from '../audit/audit-list.ts'
import { auditLog } from '../audit/audit-log.ts'
import { change as changeAuditSettings, find as findAuditSettings } from '../audit/audit-settings.ts'
import * as datasetRows from '../datasets/dataset-rows.ts'
import * as datasetVersions from '../datasets/dataset-versions.ts'
import * as datasets from '../datasets/datasets.ts'
import * as fileContents from '../datasets/file-contents.ts'
import * as files from '../datasets/files.ts'
import { deletionQueue } from '../deletions/deletion-queue.ts'
import * as dataDeletions from '../deletions/deletions.ts'
import * as subjectReferences from '../deletions/subject-references.ts'
import * as traceReferences from '../deletions/trace-references.ts'
import * as connections from '../evaluation/connections.ts'
import { evaluationQueue } from '../evaluation/evaluation-queue.ts'
import * as evaluations from '../evaluation/evaluations.ts'
import * as evaluators from '../evaluation/evaluators.ts'
import { liveEvaluators } from '../evaluation/live-rules.ts'
import * as bundle from '../exchange/bundle.ts'
import * as experimentAttachments from '../experiments/experiment-attachments.ts'
import { experimentRunQueue } from '../experiments/experiment-run-queue.ts'
import * as experimentRuns from '../experiments/experiment-runs.ts'
import * as experiments from '../experiments/experiments.ts'
import { jobQueue } from '../jobs/job-queue.ts'
import * as jobs from '../jobs/jobs.ts'
import * as approvals from '../prompts/approvals.ts'
import * as features from '../prompts/features.ts'
import * as promptFetches from '../prompts/prompt-fetches.ts'
import * as promptTags from '../prompts/prompt-tags.ts'
import * as promptVersions from '../prompts/prompt-versions.ts'
import * as prompts from '../prompts/prompts.ts'
import * as rollouts from '../prompts/rollouts.ts'
import { assemblyStore } from '../recording/assemblies.ts'
import * as idempotency from '../recording/idempotency.ts'
import * as ledger from '../recording/ledger.ts'
import { priceListStore } from '../recording/price-lists.ts'
import { pricesByWorkspace } from '../recording/price-rows.ts'
import * as prices from '../recording/prices.ts'
import * as recomputations from '../recording/recomputations.ts'
import * as comments from '../workspaces/comments.ts'
import * as dashboards from '../workspaces/dashboards.ts'
import * as installation from '../workspaces/installation.ts'
import * as maskingRules from '../workspaces/masking-rules.ts'
import * as retention from '../workspaces/retention.ts'
import { resealAll, type SealedValue } from '../workspaces/sealed-values.ts'
import * as shares from '../workspaces/shares.ts'
import * as views from '../workspaces/views.ts'
import { workspaceDeletions } from '../workspaces/workspace-deletion.ts'
import * as workspaceName from '../workspaces/workspace-name.ts'
import { type MigrationListener, migrate, migrationsIn } from './migrate.ts'
import { openPostgres } from './postgres.ts'
import type { Database } from './sql.ts'
import { openSqlite } from './sqlite.ts'
import { bindWorkspace, type ScopedResource, type WorkspaceDb, workspaceDb } from './workspace.ts'

/** The location of the control store: a file (SQLite) or a server (PostgreSQL). */
export type ControlStoreLocation = { readonly file: string } | { readonly url: string }

const resources = {
  annotationItems,
  annotationQueues,
  annotationAssignments,
  features,
  prompts,
  promptVersions,
  promptTags,
  approvals,
  promptFetches,
  rollouts,
  datasets,
  datasetRows,
  datasetVersions: {
    create: datasetVersions.create,
    ensure: datasetVersions.ensure,
    list: datasetVersions.list,
    find: datasetVersions.find,
    hasChanges: datasetVersions.hasChanges,
    compare: datasetVersions.compare,
    restore: datasetVersions.restore,
  },
  evaluations,
  evaluators,
  experiments,
  experimentRuns,
  experimentAttachments: {
    add: experimentAttachments.add,
    stored: experimentAttachments.markStored,
    ofTraces: experimentAttachments.ofTraces,
    ofExperiments: experimentAttachments.ofExperiments,
  },
  apiKeys,
  prices,
  recomputations: {
    create: recomputations.create,
    list: recomputations.list,
    find: recomputations.find,
    startApplying: recomputations.startApplying,
  },
  idempotency,
  ledger,
  files,
  fileContents: {
    addChunk: fileContents.addChunk,
    keepUpload: fileContents.keepUpload,
    discardUpload: fileContents.discardUpload,
    findUpload: fileContents.findUpload,
    chunks: fileContents.chunks,
    deleteUnused: fileContents.deleteUnused,
  },
  views,
  dashboards,
  shares,
  comments: {
    create: comments.create,
    list: comments.list,
    find: comments.find,
    mentions: comments.mentions,
    acknowledge: comments.acknowledge,
    update: comments.update,
    remove: comments.remove,
  },
  dataDeletions,
  traceReferences,
  subjectReferences,
  connections,
  channels,
  alerts,
  alertEvents,
  maskingRules,
  retention,
  members,
  invitations,
  workspaceName,
  jobs,
  auditEntries: { list: listAuditEntries },
  auditSettings: { find: findAuditSettings, change: changeAuditSettings },
  bundle: {
    rowsOf: bundle.rowsOf,
    restore: bundle.restore,
    recount: bundle.recount,
    idsHere: bundle.idsHere,
  },
}

/** One workspace's rows, by resource. */
export type WorkspaceControlStore = {
  readonly [Resource in keyof typeof resources]: ScopedResource<(typeof resources)[Resource]>
}

/** The data that users edit, the counters and the queues. Rows of workspaces are reached through `scopedTo` only. */
export type ControlStore = ReturnType<typeof controlStore>

/** Opens the store and applies pending migrations. */
export async function openControlStore(
  location: ControlStoreLocation,
  now = new Date(),
  listener?: MigrationListener,
): Promise<ControlStore> {
  const database = 'file' in location ? openSqlite(location.file) : openPostgres(location.url)
  try {
    await migrate(database, migrationsIn(new URL('../migrations/', import.meta.url)), now, listener)
  } catch (error) {
    await database.close()
    throw error
  }
  return controlStore(database)
}

function controlStore(db: Database) {
  const database = writingIntents(db)
  const { sql } = database
  return {
    scopedTo: ({ workspaceId }: { readonly workspaceId: string }) =>
      bindResources(workspaceDb(database, workspaceId)),
    createWorkspace: (input: { readonly name: string }) => installation.createWorkspace(sql, input),
    revisions: (ids?: readonly string[]) => installation.revisions(sql, ids),
    pricesByWorkspace: () => pricesByWorkspace(sql),
    liveEvaluators: () => liveEvaluators(sql),
    findApiKeyByHash: (hash: string) => installation.findApiKeyByHash(sql, hash),
    touchApiKeys: (ids: readonly string[], time: Date) => installation.touchApiKeys(sql, ids, time),
    secret: (name: string, make: () => string) => installation.secret(sql, name, make),
    findSecret: (name: string) => installation.findSecret(sql, name),
    replaceSecret: (name: string, value: string) => installation.replaceSecret(sql, name, value),
    resealAll: (reseal: (value: SealedValue) => string, retiredSecrets: readonly string[]) =>
      resealAll(database, reseal, retiredSecrets),
    jobs: jobQueue(database),
    people: peopleStore(database),
    deletions: workspaceDeletions(database),
    dataDeletions: deletionQueue(database),
    assemblies: assemblyStore(database),
    evaluations: evaluationQueue(database),
    alertChecks: alertChecks(database),
    notifications: notifications(database),
    experimentRuns: experimentRunQueue(database),
    experimentAttachments: experimentAttachments.attachmentStore(database),
    audit: auditLog(database),
    priceLists: priceListStore(sql),
    recomputations: recomputations.recomputationProgress(sql),
    close: () => database.close(),
  }
}

function bindResources(db: WorkspaceDb): WorkspaceControlStore {
  return {
    annotationItems: bindWorkspace(resources.annotationItems, db),
    annotationQueues: bindWorkspace(resources.annotationQueues, db),
    annotationAssignments: bindWorkspace(resources.annotationAssignments, db),
    features: bindWorkspace(resources.features, db),
    prompts: bindWorkspace(resources.prompts, db),
    promptVersions: bindWorkspace(resources.promptVersions, db),
    promptTags: bindWorkspace(resources.promptTags, db),
    approvals: bindWorkspace(resources.approvals, db),
    promptFetches: bindWorkspace(resources.promptFetches, db),
    rollouts: bindWorkspace(resources.rollouts, db),
    datasets: bindWorkspace(resources.datasets, db),
    datasetRows: bindWorkspace(resources.datasetRows, db),
    datasetVersions: bindWorkspace(resources.datasetVersions, db),
    evaluations: bindWorkspace(resources.evaluations, db),
    evaluators: bindWorkspace(resources.evaluators, db),
    experiments: bindWorkspace(resources.experiments, db),
    experimentRuns: bindWorkspace(resources.experimentRuns, db),
    experimentAttachments: bindWorkspace(resources.experimentAttachments, db),
    apiKeys: bindWorkspace(resources.apiKeys, db),
    prices: bindWorkspace(resources.prices, db),
    recomputations: bindWorkspace(resources.recomputations, db),
    idempotency: bindWorkspace(resources.idempotency, db),
    ledger: bindWorkspace(resources.ledger, db),
    files: bindWorkspace(resources.files, db),
    fileContents: bindWorkspace(resources.fileContents, db),
    views: bindWorkspace(resources.views, db),
    dashboards: bindWorkspace(resources.dashboards, db),
    shares: bindWorkspace(resources.shares, db),
    comments: bindWorkspace(resources.comments, db),
    dataDeletions: bindWorkspace(resources.dataDeletions, db),
    traceReferences: bindWorkspace(resources.traceReferences, db),
    subjectReferences: bindWorkspace(resources.subjectReferences, db),
    connections: bindWorkspace(resources.connections, db),
    channels: bindWorkspace(resources.channels, db),
    alerts: bindWorkspace(resources.alerts, db),
    alertEvents: bindWorkspace(resources.alertEvents, db),
    maskingRules: bindWorkspace(resources.maskingRules, db),
    retention: bindWorkspace(resources.retention, db),
    members: bindWorkspace(resources.members, db),
    invitations: bindWorkspace(resources.invitations, db),
    workspaceName: bindWorkspace(resources.workspaceName, db),
    jobs: bindWorkspace(resources.jobs, db),
    auditEntries: bindWorkspace(resources.auditEntries, db),
    auditSettings: bindWorkspace(resources.auditSettings, db),
    bundle: bindWorkspace(resources.bundle, db),
  }
}
