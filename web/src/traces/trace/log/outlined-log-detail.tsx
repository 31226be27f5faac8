/** A log of an outlined trace: its input, output and metadata are loaded when it is opened. */
import { useMemo } from 'react'
import { useRead } from '../../../app/api.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { SkeletonRows } from '../../../ui/skeleton.tsx'
import type { ReadTrace } from '../read-trace.ts'
import type { LogNode } from '../tree/trace-tree.ts'
import { LogDetail } from './log-detail.tsx'

interface OutlinedLogDetailProps {
  readonly read: ReadTrace
  readonly node: LogNode
  readonly onLog: (logId: string | undefined) => void
}

export function OutlinedLogDetail({ read, node, onLog }: OutlinedLogDetailProps) {
  const { data, error, refetch } = useRead('logs.get', { id: read.trace.id, logId: node.log.id })
  const whole = useMemo(() => data && { ...node, log: data.log }, [node, data])
  if (whole !== undefined) return <LogDetail read={read} node={whole} onLog={onLog} />
  return error === null ? <SkeletonRows /> : <ErrorState error={error} onRetry={() => void refetch()} />
}
