/** Changes, exports and rejected requests, with their actors. For admins; operators see the whole service. */
import type { AuditEntry } from '@plumbline/sdk'
import { Download, ShieldCheck } from 'lucide-react'
import { useMemo } from 'react'
import { usePages, useRead } from '../../app/api.ts'
import { useSession } from '../../app/session.tsx'
import { useExport } from '../../app/use-export.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { SidePanel } from '../../ui/split-pane.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { useNow } from '../../ui/text/values.tsx'
import { auditRoute } from '../routes.ts'
import { periodStart } from './audit-changes.ts'
import { auditColumns } from './audit-columns.tsx'
import { AuditFilters, type AuditSearch } from './audit-filters.tsx'
import { AuditPanel } from './audit-panel.tsx'
import { AuditRetention } from './audit-retention.tsx'
import { AuditWebhook } from './audit-webhook.tsx'

const rowId = ({ id }: AuditEntry): string => id

/** The URL's filters as API parameters. */
function useFilters({ actor, operation, outcome, period }: AuditSearch) {
  const now = useNow()
  // `keys` is a resource, `keys.create` an operation.
  const isResource = operation !== undefined && !operation.includes('.')
  return {
    ...(actor === undefined ? {} : { actor }),
    ...(operation === undefined ? {} : isResource ? { resource: operation } : { operation }),
    ...(outcome === undefined ? {} : { outcome }),
    ...(period === undefined ? {} : { from: periodStart(period, now) }),
  }
}

export function AuditTab() {
  const { open, ...search } = auditRoute.useSearch()
  const navigate = auditRoute.useNavigate()
  const { session, may } = useSession()
  const isOperator = session?.isOperator === true
  const isEverywhere = isOperator && search.everywhere === true
  const filters = useFilters(search)
  const ofWorkspace = usePages('audit.list', filters, 'entries', { enabled: !isEverywhere })
  const ofAll = usePages('audit.everywhere', filters, 'entries', { enabled: isEverywhere })
  const pages = isEverywhere ? ofAll : ofWorkspace
  const members = useRead('members.list', {}).data?.members
  const names = useMemo(
    () => new Map((members ?? []).map(({ id, name, email }) => [id, name || email])),
    [members],
  )
  const columns = useMemo(() => auditColumns(names), [names])
  const startExport = useExport()
  const change = (patch: AuditSearch & { readonly open?: string | undefined }): void =>
    void navigate({ search: (previous) => ({ ...previous, ...patch }), replace: patch.open === undefined })
  if (pages.isError && pages.data === undefined)
    return <ErrorState error={pages.error} onRetry={() => void pages.refetch()} />
  const openEntry = pages.items.find(({ id }) => id === open)
  return (
    <div className="flex min-h-0 flex-1">
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <div className="flex flex-wrap items-end justify-between gap-3 px-4 py-3">
          <AuditFilters search={search} onChange={change} isOperator={isOperator} />
          <div className="flex flex-wrap items-end gap-3">
            {may('owner') && <AuditRetention />}
            {may('owner') && <AuditWebhook />}
            {!isEverywhere && (
              <Button
                icon={<Download aria-hidden size={14} />}
                onClick={() =>
                  void startExport({
                    address: `/audit/export?${new URLSearchParams(filters)}`,
                    fileName: 'audit.jsonl',
                    format: 'jsonl',
                    records: 'entries',
                  })
                }
              >
                Export
              </Button>
            )}
          </div>
        </div>
        <div className="flex min-h-60 flex-1 flex-col border-t border-line">
          <DataTable
            label="Audit entries"
            columns={columns}
            rows={pages.data === undefined ? undefined : pages.items}
            rowId={rowId}
            openId={open}
            onOpen={({ id }) => change({ open: id })}
            more={pages.more}
            empty={
              <EmptyState icon={<ShieldCheck size={20} />} title="No entries match">
                Every change, export and refused request is logged here, with who sent it and from where.
                Remove a filter to see more.
              </EmptyState>
            }
          />
        </div>
      </div>
      {openEntry !== undefined && (
        <SidePanel name="audit" label="Entry" initialPx={440} onClose={() => change({ open: undefined })}>
          <AuditPanel entry={openEntry} names={names} onClose={() => change({ open: undefined })} />
        </SidePanel>
      )}
    </div>
  )
}
