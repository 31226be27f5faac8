/** The address of a trace in the page, and of one of its logs: what is shared. */
export const addressOf = (traceId: string, logId?: string): string =>
  `/app/traces/${encodeURIComponent(traceId)}${logId === undefined ? '' : `?log=${encodeURIComponent(logId)}`}`
