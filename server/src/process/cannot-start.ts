/** Why the service cannot start, as one sentence that names the setting, the place and the cause. */
import {
  ControlStoreAway,
  ControlStoreDamaged,
  MigrationRefused,
  OtherNodes,
  TransactionPooling,
} from '@plumbline/storage/control'
import { TraceStoreNewer, TraceStoreRefused, TraceStoreUnavailable } from '@plumbline/storage/traces'
import { BadConfiguration, type Config } from '../config.ts'

/** The sentence, or undefined for an unexpected error. */
export function reasonOf(error: unknown, config: Config | undefined): string | undefined {
  if (error instanceof BadConfiguration) return error.message
  if (error instanceof MigrationRefused || error instanceof OtherNodes) return error.message
  if (error instanceof TransactionPooling) return error.message
  if (error instanceof TraceStoreNewer || error instanceof TraceStoreRefused) return error.message
  if (error instanceof ControlStoreDamaged)
    return `The control plane in PLUMBLINE_DATA_DIR (${config?.PLUMBLINE_DATA_DIR}) is damaged: ${error.problem.replace(/\.$/, '')}. Restore a backup, and keep the damaged folder; see docs/operations.md.`
  if (error instanceof ControlStoreAway)
    return config?.DATABASE_URL === undefined
      ? `The control plane in PLUMBLINE_DATA_DIR (${config?.PLUMBLINE_DATA_DIR}) cannot be opened: ${causeOf(error)}.`
      : `DATABASE_URL: PostgreSQL at ${hostOf(config.DATABASE_URL)} cannot be reached: ${causeOf(error)}.`
  if (config?.DATABASE_URL !== undefined && isOfPostgres(error))
    return `DATABASE_URL: PostgreSQL at ${hostOf(config.DATABASE_URL)} cannot be used: ${causeOf(error)}.`
  if (error instanceof TraceStoreUnavailable)
    return config?.CLICKHOUSE_URL === undefined
      ? `The trace store in PLUMBLINE_DATA_DIR (${config?.PLUMBLINE_DATA_DIR}) cannot be opened: ${causeOf(error)}.`
      : `CLICKHOUSE_URL: ClickHouse at ${config.CLICKHOUSE_URL.split(',').map(hostOf).join(', ')} cannot be reached: ${causeOf(error)}.`
  const code = codeOf(error)
  if (code === 'EADDRINUSE')
    return `PORT: the address ${config?.HOST}:${config?.PORT} is in use by another process.`
  if (code === 'EACCES' && isListening(error))
    return `PORT: this user may not listen on ${config?.HOST}:${config?.PORT}.`
  if (code === 'EADDRNOTAVAIL' || (code === 'ENOTFOUND' && isListening(error)))
    return `HOST: this machine has no address ${config?.HOST}.`
  return undefined
}

/** The host only, never the user or the password. */
const hostOf = (url: string): string =>
  URL.canParse(url) ? new URL(url).host || 'the local socket' : 'the given URL'

/** The innermost message: the outer ones say only that something is unavailable. */
function causeOf(error: unknown): string {
  let cause = error
  while (cause instanceof Error && cause.cause !== undefined) cause = cause.cause
  if (cause instanceof AggregateError && cause.errors.length > 0) cause = cause.errors[0]
  const message = cause instanceof Error ? cause.message || codeOf(cause) || cause.name : String(cause)
  return message.replace(/\.$/, '')
}

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

/** An error that PostgreSQL returns for a statement, for example because the role may not create tables. */
const isOfPostgres = (error: unknown): boolean =>
  error instanceof Error && 'severity' in error && /^[0-9A-Z]{5}$/.test(codeOf(error) ?? '')

const isListening = (error: unknown): boolean =>
  error instanceof Error &&
  'syscall' in error &&
  (error.syscall === 'listen' || error.syscall === 'getaddrinfo')
