import * as alertEvents from './alert-events.ts'
import { alertWatch } from './alert-watch.ts'
import * as alerts from './alerts.ts'
import * as annotationItems from './annotation-items.ts'
import * as annotationQueues from './annotation-queues.ts'
import * as annotationTurns from './annotation-turns.ts'
import * as apiKeys from './api-keys.ts'
import { assemblyBooks } from './assemblies.ts'
import * as bundle from './bundle.ts'
import * as channels from './channels.ts'
import * as connections from './connections.ts'
import * as datasetRows from './dataset-rows.ts'
import * as datasets from './datasets.ts'
import { evaluationQueue } from './evaluation-queue.ts'
import * as evaluations from './evaluations.ts'
import * as evaluators from './evaluators.ts'
import * as experimentAttachments from './experiment-attachments.ts'
import { experimentRunQueue } from './experiment-run-queue.ts'
import * as experimentRuns from './experiment-runs.ts'
import * as experiments from './experiments.ts'
import * as features from './features.ts'
import * as files from './files.ts'
import * as idempotency from './idempotency.ts'
import * as installation from './installation.ts'
import * as invitations from './invitations.ts'
import * as ledger from './ledger.ts'
import * as members from './members.ts'
import { migrate, migrationsIn } from './migrate.ts'
import { notificationQueue } from './notification-queue.ts'
import { peopleStore } from './people-store.ts'
import { openPostgres } from './postgres.ts'
import * as prices from './prices.ts'
import * as promptFetches from './prompt-fetches.ts'
import * as promptTags from './prompt-tags.ts'
import * as promptVersions from './prompt-versions.ts'
import * as prompts from './prompts.ts'
import * as retention from './retention.ts'
import * as rollouts from './rollouts.ts'
import { resealAll, type SealedValue } from './sealed-values.ts'
import type { Database } from './sql.ts'
import { openSqlite } from './sqlite.ts'
import * as views from './views.ts'
import { bindWorkspace, type ScopedResource, type WorkspaceDb, workspaceDb } from './workspace.ts'
import { workspaceDeletions } from './workspace-deletion.ts'
import * as workspaceName from './workspace-name.ts'

/** Where the control store is: a file (SQLite) or a server (PostgreSQL). */
export type ControlStoreLocation = { readonly file: string } | { readonly url: string }

const resources = {
  annotationItems,
  annotationQueues,
  annotationTurns,
  features,
  prompts,
  promptVersions,
  promptTags,
  promptFetches,
  rollouts,
  datasets,
  datasetRows,
  evaluations,
  evaluators,
  experiments,
  experimentRuns,
  experimentAttachments: {
    add: experimentAttachments.add,
    stored: experimentAttachments.stored,
    ofTraces: experimentAttachments.ofTraces,
    ofExperiments: experimentAttachments.ofExperiments,
  },
  apiKeys,
  prices,
  idempotency,
  ledger,
  files,
  views,
  connections,
  channels,
  alerts,
  alertEvents,
  retention,
  members,
  invitations,
  workspaceName,
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
): Promise<ControlStore> {
  const database = 'file' in location ? openSqlite(location.file) : openPostgres(location.url)
  try {
    await migrate(database, migrationsIn(new URL('./migrations/', import.meta.url)), now)
  } catch (error) {
    await database.close()
    throw error
  }
  return controlStore(database)
}

function controlStore(database: Database) {
  const { sql } = database
  return {
    scopedTo: ({ workspaceId }: { readonly workspaceId: string }) =>
      scoped(workspaceDb(database, workspaceId)),
    createWorkspace: (input: { readonly name: string }) => installation.createWorkspace(sql, input),
    revisions: () => installation.revisions(sql),
    findApiKeyByHash: (hash: string) => installation.findApiKeyByHash(sql, hash),
    touchApiKeys: (ids: readonly string[], time: Date) => installation.touchApiKeys(sql, ids, time),
    secret: (name: string, make: () => string) => installation.secret(sql, name, make),
    findSecret: (name: string) => installation.findSecret(sql, name),
    replaceSecret: (name: string, value: string) => installation.replaceSecret(sql, name, value),
    resealAll: (reseal: (value: SealedValue) => string, retiredSecrets: readonly string[]) =>
      resealAll(database, reseal, retiredSecrets),
    people: peopleStore(database),
    deletions: workspaceDeletions(database),
    assemblies: assemblyBooks(database),
    evaluations: evaluationQueue(database),
    alerts: alertWatch(database),
    notifications: notificationQueue(database),
    experimentRuns: experimentRunQueue(database),
    experimentAttachments: experimentAttachments.attachmentBooks(database),
    close: () => database.close(),
  }
}

function scoped(db: WorkspaceDb): WorkspaceControlStore {
  return {
    annotationItems: bindWorkspace(resources.annotationItems, db),
    annotationQueues: bindWorkspace(resources.annotationQueues, db),
    annotationTurns: bindWorkspace(resources.annotationTurns, db),
    features: bindWorkspace(resources.features, db),
    prompts: bindWorkspace(resources.prompts, db),
    promptVersions: bindWorkspace(resources.promptVersions, db),
    promptTags: bindWorkspace(resources.promptTags, db),
    promptFetches: bindWorkspace(resources.promptFetches, db),
    rollouts: bindWorkspace(resources.rollouts, db),
    datasets: bindWorkspace(resources.datasets, db),
    datasetRows: bindWorkspace(resources.datasetRows, db),
    evaluations: bindWorkspace(resources.evaluations, db),
    evaluators: bindWorkspace(resources.evaluators, db),
    experiments: bindWorkspace(resources.experiments, db),
    experimentRuns: bindWorkspace(resources.experimentRuns, db),
    experimentAttachments: bindWorkspace(resources.experimentAttachments, db),
    apiKeys: bindWorkspace(resources.apiKeys, db),
    prices: bindWorkspace(resources.prices, db),
    idempotency: bindWorkspace(resources.idempotency, db),
    ledger: bindWorkspace(resources.ledger, db),
    files: bindWorkspace(resources.files, db),
    views: bindWorkspace(resources.views, db),
    connections: bindWorkspace(resources.connections, db),
    channels: bindWorkspace(resources.channels, db),
    alerts: bindWorkspace(resources.alerts, db),
    alertEvents: bindWorkspace(resources.alertEvents, db),
    retention: bindWorkspace(resources.retention, db),
    members: bindWorkspace(resources.members, db),
    invitations: bindWorkspace(resources.invitations, db),
    workspaceName: bindWorkspace(resources.workspaceName, db),
    bundle: bindWorkspace(resources.bundle, db),
  }
}
