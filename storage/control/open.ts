import * as apiKeys from './api-keys.ts'
import * as datasetRows from './dataset-rows.ts'
import * as datasets from './datasets.ts'
import * as evaluators from './evaluators.ts'
import * as experiments from './experiments.ts'
import * as features from './features.ts'
import * as files from './files.ts'
import * as idempotency from './idempotency.ts'
import * as installation from './installation.ts'
import * as ledger from './ledger.ts'
import { migrate, migrationsIn } from './migrate.ts'
import * as invitations from './invitations.ts'
import { openPostgres } from './postgres.ts'
import * as members from './members.ts'
import * as prices from './prices.ts'
import { peopleStore } from './people-store.ts'
import * as promptTags from './prompt-tags.ts'
import * as promptVersions from './prompt-versions.ts'
import * as prompts from './prompts.ts'
import type { Database } from './sql.ts'
import { openSqlite } from './sqlite.ts'
import * as retention from './retention.ts'
import { type Asked, asked, type WorkspaceDb, workspaceDb } from './workspace.ts'

import * as views from './views.ts'
/** Where the control store is: a file (SQLite) or a server (PostgreSQL). */
import * as workspaceName from './workspace-name.ts'
export type ControlStoreLocation = { readonly file: string } | { readonly url: string }

const resources = {
  features,
  prompts,
  promptVersions,
  promptTags,
  datasets,
  datasetRows,
  evaluators,
  experiments,
  apiKeys,
  prices,
  idempotency,
  ledger,
  files,
}

/** One workspace's rows, by resource. */
export type WorkspaceControlStore = {
  readonly [Resource in keyof typeof resources]: Asked<(typeof resources)[Resource]>
}

/** What people edit, and the books kept beside it. Rows are reached through a workspace, and in no other way. */
export type ControlStore = ReturnType<typeof controlStore>

/** Opens the store and brings it up to today's tables. */
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
    touchApiKeys: (ids: readonly string[], at: Date) => installation.touchApiKeys(sql, ids, at),
    secret: (name: string, make: () => string) => installation.secret(sql, name, make),
    close: () => database.close(),
  }
}

function scoped(db: WorkspaceDb): WorkspaceControlStore {
  return {
    features: asked(resources.features, db),
    prompts: asked(resources.prompts, db),
    promptVersions: asked(resources.promptVersions, db),
    people: peopleStore(database),
    promptTags: asked(resources.promptTags, db),
    datasets: asked(resources.datasets, db),
    datasetRows: asked(resources.datasetRows, db),
    evaluators: asked(resources.evaluators, db),
    experiments: asked(resources.experiments, db),
    apiKeys: asked(resources.apiKeys, db),
    prices: asked(resources.prices, db),
    idempotency: asked(resources.idempotency, db),
    ledger: asked(resources.ledger, db),
    files: asked(resources.files, db),
  }
}
