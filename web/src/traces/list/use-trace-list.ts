import { usePages } from '../../app/api.ts'
import type { TraceQuery } from './use-trace-query.ts'

export const tracePageMax = 100

/** The rows of the list, loaded page by page on scroll; shared between its users. */
export const useTraceList = ({ filter, scope, order }: TraceQuery) =>
  usePages('traces.list', { ...filter, ...scope, ...order, limit: tracePageMax }, 'traces', { isHeld: true })
