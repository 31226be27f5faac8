import { basePath } from '../../ui/base-path.ts'

/** The URL of a trace or of one of its logs in the web app, for sharing. */
export const addressOf = (traceId: string, logId?: string): string =>
  `${basePath}/app/traces/${encodeURIComponent(traceId)}${logId === undefined ? '' : `?log=${encodeURIComponent(logId)}`}`
