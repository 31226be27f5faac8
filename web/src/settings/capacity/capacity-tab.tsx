/** The remaining capacity of the node, for operators. */
import type { NodeCapacity } from '@plumbline/sdk'
import { useRead } from '../../app/api.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { formatBytes } from '../../ui/text/format.ts'
import { Count, RelativeTime } from '../../ui/text/values.tsx'
import { Gauge } from './gauge.tsx'

const refreshMs = 5000

export function CapacityTab() {
  const { data, isError, error, refetch } = useRead('capacity.get', {}, { refreshMs })
  if (isError && data === undefined) return <ErrorState error={error} onRetry={() => void refetch()} />
  return (
    <div className="flex flex-col gap-6 px-4 py-3">
      <p className="prose-width text-sm text-ink-2">
        Free space of the node that serves this page. Visible to owners of the first workspace.
      </p>
      {data !== undefined && (
        <>
          <DiskSection disk={data.capacity.disk} />
          <SpoolSection spool={data.capacity.spool} />
        </>
      )}
    </div>
  )
}

function DiskSection({ disk }: { readonly disk: NodeCapacity['disk'] }) {
  if (disk === undefined)
    return <p className="text-sm text-warn">The data directory’s disk does not respond.</p>
  const { freeBytes, sizeBytes, reserveBytes } = disk
  return (
    <Gauge
      title="Data directory disk"
      used={sizeBytes - freeBytes}
      size={sizeBytes}
      limit={sizeBytes - reserveBytes}
      facts={[
        ['Free', formatBytes(freeBytes)],
        ['Size', formatBytes(sizeBytes)],
        ['Reserve', reserveBytes === 0 ? 'none' : formatBytes(reserveBytes)],
      ]}
    >
      {reserveBytes === 0
        ? 'The nodes share their stores, so this disk does not limit what is recorded.'
        : 'Below the reserve, nothing is recorded, so that acknowledged records can still be stored.'}
    </Gauge>
  )
}

function SpoolSection({ spool }: { readonly spool: NodeCapacity['spool'] }) {
  const { bytes, quotaBytes, records, oldestAt } = spool
  return (
    <Gauge
      title="Records waiting for the trace store"
      used={bytes}
      size={quotaBytes}
      limit={quotaBytes}
      facts={[
        ['Waiting', formatBytes(bytes)],
        ['Quota', formatBytes(quotaBytes)],
        ['Records', <Count key="records" value={records} />],
        ...(oldestAt === undefined
          ? []
          : ([['Oldest', <RelativeTime key="oldest" time={oldestAt} />]] as const)),
      ]}
    >
      Records wait here briefly, or while the trace store is unavailable. At the quota, nothing is recorded.
    </Gauge>
  )
}
