import { basePath } from '../../ui/base-path.ts'

/** The address of a trace in the web app, and of one of its logs, for sharing. */
export const addressOf = (traceId: string, logId?: string): string =>
  `${basePath}/app/traces/${encodeURIComponent(traceId)}${logId === undefined ? '' : `?log=${encodeURIComponent(logId)}`}`
