import type { Parameters } from './clients.ts'
import type { TraceFilters } from './store.ts'
import { whereConditions } from './where.ts'

/** Conditions to join with AND, and the values they name. */
export type Conditions = { sql: string[]; parameters: Parameters }

/**
 * The filters of a list on the table `traces`, except `q`. All use columns of the trace itself, so that the newest
 * page reads in primary key order and stops when it is full.
 */
export function traceConditions(workspaceId: string, filters: TraceFilters): Conditions {
  const sql = ['workspace_id = {workspace:String}']
  const parameters: Record<string, string | number | bigint | readonly string[]> = { workspace: workspaceId }
  const add = (condition: string, name: string, value: string | number | bigint | undefined): void => {
    if (value === undefined) return
    sql.push(condition)
    parameters[name] = value
  }
  add('feature_slug = {feature:String}', 'feature', filters.featureSlug)
  add('experiment_id = {experiment:String}', 'experiment', filters.experimentId)
  add('user_id = {user:String}', 'user', filters.userId)
  add('organization_id = {organization:String}', 'organization', filters.organizationId)
  add('has(log_types, {type:String})', 'type', filters.type)
  add('name = {name:String}', 'name', filters.name)
  add('has(models, {model:String})', 'model', filters.model)
  add('cost >= {minCost:Float64}', 'minCost', filters.minCost)
  add('duration_us >= 1000 * {minDuration:Float64}', 'minDuration', filters.minDurationMs)
  add('start_us >= {from:Int64}', 'from', filters.fromUs)
  add('start_us < {to:Int64}', 'to', filters.toUs)
  add('session_id = {session:String}', 'session', filters.sessionId)
  add('cost <= {maxCost:Float64}', 'maxCost', filters.maxCost)
  add('duration_us <= 1000 * {maxDuration:Float64}', 'maxDuration', filters.maxDurationMs)
  add('input_tokens + output_tokens >= {minTokens:Float64}', 'minTokens', filters.minTokens)
  add('input_tokens + output_tokens <= {maxTokens:Float64}', 'maxTokens', filters.maxTokens)
  add('received_at >= fromUnixTimestamp64Milli({receivedFrom:Int64})', 'receivedFrom', filters.receivedFromMs)
  if (filters.sampled !== undefined) sql.push(filters.sampled ? 'sampled' : 'NOT sampled')
  if (filters.hasError !== undefined) sql.push(filters.hasError ? 'errors > 0' : 'errors = 0')
  if (filters.promptSlug !== undefined || filters.promptVersion !== undefined) {
    const pair = [
      ...(filters.promptSlug === undefined ? [] : ['prompt.1 = {promptSlug:String}']),
      ...(filters.promptVersion === undefined ? [] : ['prompt.2 = {promptVersion:String}']),
    ]
    sql.push(`arrayExists(prompt -> ${pair.join(' AND ')}, prompts)`)
    if (filters.promptSlug !== undefined) parameters.promptSlug = filters.promptSlug
    if (filters.promptVersion !== undefined) parameters.promptVersion = filters.promptVersion
  }
  Object.entries(filters.metadata ?? {}).forEach(([key, value], index) => {
    // A missing key reads as the empty text.
    if (value === '') sql.push(`mapContains(metadata_texts, {key${index}:String})`)
    sql.push(`metadata_texts[{key${index}:String}] = {value${index}:String}`)
    parameters[`key${index}`] = key
    parameters[`value${index}`] = value
  })
  const where = whereConditions([
    ...(filters.provider === undefined ? [] : [{ field: 'provider', is: [filters.provider] }]),
    ...(filters.where ?? []),
  ])
  return { sql: [...sql, ...where.sql], parameters: { ...parameters, ...where.parameters } }
}
