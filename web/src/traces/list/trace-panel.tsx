/** A trace beside the list. */
import { Link } from '@tanstack/react-router'
import { Maximize2 } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { useRead } from '../../app/api.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Tooltip } from '../../ui/overlay/tooltip.tsx'
import { PanelHeader } from '../../ui/panel-header.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { SidePanel } from '../../ui/split-pane.tsx'

const TraceView = lazy(async () => ({ default: (await import('../trace/trace-view.tsx')).TraceView }))

interface TracePanelProps {
  readonly traceId: string
  readonly logId: string | undefined
  readonly onLog: (logId: string | undefined) => void
  readonly onClose: () => void
}

export function TracePanel({ traceId, logId, onLog, onClose }: TracePanelProps) {
  const name = useRead('traces.outline', { id: traceId }).data?.trace.name
  return (
    <SidePanel name="traces" label="Trace" initialPx={620} onClose={onClose}>
      <PanelHeader
        title={<bdi>{name ?? 'Trace'}</bdi>}
        onClose={onClose}
        actions={
          <Tooltip text="Open full screen" keys="enter">
            <Link
              to="/traces/$id"
              params={{ id: traceId }}
              search={logId ? { log: logId } : {}}
              role="button"
              aria-label="Open full screen"
              className={buttonClass('quiet', 'square')}
            >
              <Maximize2 aria-hidden size={14} />
            </Link>
          </Tooltip>
        }
      />
      <Suspense fallback={<SkeletonRows />}>
        <TraceView traceId={traceId} logId={logId} onLog={onLog} compact />
      </Suspense>
    </SidePanel>
  )
}
