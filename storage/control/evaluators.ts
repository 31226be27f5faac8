import { newId } from './id.ts'
import type { WorkspaceDb } from './workspace.ts'

/** What judges traces and logs. */
export type Evaluator = {
  id: string
  slug: string
  name: string
  kind: string
  /** JSON text, its shape depends on the kind. */
  config: string
  sampleRate: number
  createdAt: Date
}

export type NewEvaluator = {
  readonly slug: string
  readonly name: string
  readonly kind: string
  /** JSON text. */
  readonly config: string
  /** Share of traces to judge, 0 to 1. */
  readonly sampleRate?: number
}

type EvaluatorRow = {
  id: string
  slug: string
  name: string
  kind: string
  config: string
  sample_rate: number
  created_at: number
}

const sampleRateDefault = 0.1

/** Adds an evaluator; its slug is unique in the workspace. */
export function create(db: WorkspaceDb, input: NewEvaluator, now: Date): Promise<Evaluator> {
  return db.write(async ({ sql, workspaceId }) => {
    const rows = await sql<EvaluatorRow>`
      INSERT INTO evaluators (id, workspace_id, slug, name, kind, config, sample_rate, created_at)
      VALUES (${newId()}, ${workspaceId}, ${input.slug}, ${input.name}, ${input.kind}, ${input.config},
        ${input.sampleRate ?? sampleRateDefault}, ${now.getTime()})
      RETURNING id, slug, name, kind, config, sample_rate, created_at`
    return rows.map(toEvaluator)[0]!
  })
}

/** Every evaluator, oldest first: a workspace has few, so the unique key finds them and they are sorted then. */
export async function list({ sql, workspaceId }: WorkspaceDb): Promise<Evaluator[]> {
  const rows = await sql<EvaluatorRow>`
    SELECT id, slug, name, kind, config, sample_rate, created_at FROM evaluators
    WHERE workspace_id = ${workspaceId} ORDER BY created_at, id`
  return rows.map(toEvaluator)
}

/** Those evaluators that exist of the slugs asked for, in no order, by their unique slugs. */
export async function findMany(db: WorkspaceDb, slugs: readonly string[]): Promise<Evaluator[]> {
  const { sql, workspaceId } = db
  const rows = await sql<EvaluatorRow>`
    SELECT id, slug, name, kind, config, sample_rate, created_at FROM evaluators
    WHERE workspace_id = ${workspaceId} AND slug IN (${slugs})`
  return rows.map(toEvaluator)
}

function toEvaluator(row: EvaluatorRow): Evaluator {
  const { id, slug, name, kind, config } = row
  return { id, slug, name, kind, config, sampleRate: row.sample_rate, createdAt: new Date(row.created_at) }
}
