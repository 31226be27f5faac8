/** Received, stored, sampled-out and rejected records, with reasons: the ledger accounts for every record. */
import type { LedgerEntry } from '@plumbline/sdk'
import { ReceiptText } from 'lucide-react'
import { useMemo } from 'react'
import { useRead } from '../app/api.ts'
import { rangeInput, useRange } from '../app/range/use-range.ts'
import { Screen } from '../app/screen.tsx'
import { Badge } from '../ui/badge.tsx'
import { TimeChart } from '../ui/charts/time-chart.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Select } from '../ui/form/select.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { SidePanel } from '../ui/split-pane.tsx'
import { DataTable } from '../ui/table/data-table.tsx'
import { formatInstant } from '../ui/text/format.ts'
import { ExactCount, useTimeZone, useUtc } from '../ui/text/values.tsx'
import { deliveryProof, proofMessage } from './delivery-proof.ts'
import { EntryPanel } from './entry-panel.tsx'
import { columnsOf, entryId } from './ledger-columns.tsx'
import { ReasonList } from './reason-list.tsx'
import { ledgerRoute } from './routes.ts'
import { senderName } from './sender-name.ts'
import { bucketsOf, type CountName, hoursOf, reasonsOf, sumOf } from './sum-entries.ts'

const everyKey = 'every'

export function LedgerScreen() {
  const search = ledgerRoute.useSearch()
  const navigate = ledgerRoute.useNavigate()
  const { range, setRange } = useRange()
  const hours = useMemo(() => hoursOf(range), [range])
  const ledger = useRead(
    'ledger.list',
    { ...rangeInput(hours), ...(search.key && { apiKeyId: search.key }) },
    { refreshMs: 15_000 },
  )
  const keys = useRead('keys.list', {}).data?.apiKeys
  const entries = ledger.data?.entries
  const columns = useMemo(() => columnsOf(keys), [keys])
  const change = (patch: Partial<typeof search>): void =>
    void navigate({ search: (previous) => ({ ...previous, ...patch }) })
  const openEntry = entries?.find((entry) => entryId(entry) === search.entry)

  return (
    <Screen
      title="Ingestion"
      hasRange
      actions={
        <Select
          label="API key"
          className="w-52 max-md:w-36"
          value={search.key ?? everyKey}
          onChange={(key) => change({ key: key === everyKey ? undefined : key, entry: undefined })}
          choices={[
            { value: everyKey, label: 'All API keys' },
            ...(keys ?? []).map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
      }
    >
      {ledger.isError && entries === undefined ? (
        <ErrorState error={ledger.error} onRetry={() => void ledger.refetch()} />
      ) : (
        <div className="flex min-h-0 flex-1">
          <div className="relative flex min-h-0 min-w-0 flex-1 flex-col overflow-y-auto">
            <Overview
              entries={entries}
              pending={ledger.data?.pending}
              keyName={search.key && entries?.[0] && senderName(entries[0], keys)}
              from={hours.from}
              to={hours.to ?? new Date()}
              onZoom={(start, end) => setRange([start, end])}
            />
            <div className="flex min-h-60 flex-1 flex-col">
              <DataTable
                label="Records by hour and API key"
                columns={columns}
                rows={entries}
                rowId={entryId}
                sort={search.sort}
                onSort={(sort) => change({ sort })}
                openId={search.entry}
                onOpen={(entry) => change({ entry: entryId(entry) })}
                empty={
                  <EmptyState icon={<ReceiptText size={20} />} title="No records in this range">
                    Counts every record your applications send: stored, duplicate, sampled out or rejected,
                    and why. Choose a longer range, or send a trace.
                  </EmptyState>
                }
              />
            </div>
          </div>
          {openEntry !== undefined && (
            <SidePanel
              name="ledger"
              label="Hour"
              initialPx={440}
              onClose={() => change({ entry: undefined })}
            >
              <EntryPanel
                entry={openEntry}
                keyName={senderName(openEntry, keys)}
                onClose={() => change({ entry: undefined })}
              />
            </SidePanel>
          )}
        </div>
      )}
    </Screen>
  )
}

const figures: readonly { readonly name: CountName; readonly label: string; readonly hint: string }[] = [
  { name: 'received', label: 'Received', hint: 'stored, duplicates and rejected' },
  { name: 'stored', label: 'Stored', hint: 'in the trace store or about to be' },
  { name: 'deduplicated', label: 'Duplicates', hint: 'retries, stored only once' },
  { name: 'rejected', label: 'Rejected', hint: 'for the reasons below' },
  { name: 'sampled', label: 'Sampled', hint: 'sampled for evaluation' },
  { name: 'sampledOut', label: 'Sampled out', hint: 'stored, but not sampled' },
]

interface OverviewProps {
  readonly entries: readonly LedgerEntry[] | undefined
  readonly pending: number | undefined
  /** The chosen key; undefined for all. */
  readonly keyName: string | undefined
  readonly from: Date
  readonly to: Date
  readonly onZoom: (start: Date, end: Date) => void
}

function Overview({ entries, pending = 0, keyName, from, to, onZoom }: OverviewProps) {
  const [isUtc] = useUtc()
  const timeZone = useTimeZone()
  const sums = entries && sumOf(entries)
  const buckets = useMemo(() => bucketsOf(entries ?? [], from, to, timeZone), [entries, from, to, timeZone])
  const reasons = reasonsOf(entries ?? [])
  const proof = sums && sums.received > 0 ? deliveryProof({ keyName, sums, pending }) : undefined
  return (
    <section aria-label="Overview" className="flex shrink-0 flex-col gap-4 border-b border-line p-4">
      <dl className="grid grid-cols-6 gap-4 max-lg:grid-cols-3 max-sm:grid-cols-2">
        {figures.map(({ name, label, hint }) => (
          <div key={name} title={hint}>
            <dt className="text-xs text-ink-3">{label}</dt>
            <dd className="flex h-7 items-center gap-2 text-lg [&_.numbers]:text-lg">
              {sums === undefined ? <Skeleton className="h-4 w-12" /> : <ExactCount value={sums[name]} />}
              {name === 'stored' && pending > 0 && (
                <Badge tone="info" title="Acknowledged, not yet in the trace store">
                  {pending} pending
                </Badge>
              )}
            </dd>
          </div>
        ))}
      </dl>
      {proof !== undefined && (
        <p className="flex flex-wrap items-center gap-2 text-sm">
          <Badge tone={proof.isWhole ? 'good' : 'warn'}>{proof.isWhole ? 'Complete' : 'Accounted for'}</Badge>
          <span>{proof.text}</span>
          <span className="text-ink-3">Hourly counts since {formatInstant(from, isUtc).slice(0, 16)}.</span>
          <CopyButton text={() => proofMessage(proof, from, to, new Date())} label="Copy proof of delivery" />
        </p>
      )}
      <TimeChart
        label="Records over time: stored, duplicates and rejected"
        kind="bars"
        height={96}
        isStrip
        times={buckets.map(({ time }) => time)}
        series={[
          { key: 'stored', label: 'Stored', color: 'accent', values: buckets.map(({ sums }) => sums.stored) },
          {
            key: 'deduplicated',
            label: 'Duplicates',
            color: 'ink-3',
            values: buckets.map(({ sums }) => sums.deduplicated),
          },
          {
            key: 'rejected',
            label: 'Rejected',
            color: 'bad',
            values: buckets.map(({ sums }) => sums.rejected),
          },
        ]}
        onZoom={onZoom}
      />
      {reasons.length > 0 && <ReasonList reasons={reasons} />}
    </section>
  )
}
