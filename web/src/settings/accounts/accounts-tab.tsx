/** All accounts of the installation, for its operators. */
import type { Account } from '@plumbline/sdk'
import { useMemo, useState } from 'react'
import { useChange, usePages } from '../../app/api.ts'
import { useSession } from '../../app/session.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Field, Input } from '../../ui/form/field.tsx'
import { useToasts } from '../../ui/overlay/toast.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { accountsRoute } from '../routes.ts'
import { accountColumns } from './account-columns.tsx'
import { AccountDialog, type AccountQuestion } from './account-dialog.tsx'

const rowId = ({ id }: Account): string => id

export function AccountsTab() {
  const { q } = accountsRoute.useSearch()
  const navigate = accountsRoute.useNavigate()
  const { session } = useSession()
  const pages = usePages('accounts.list', q === undefined ? {} : { q }, 'accounts')
  const [question, setQuestion] = useState<AccountQuestion>()
  const toasts = useToasts()
  const { mutate: unlock } = useChange('accounts.unlock', {
    refreshes: ['accounts.list'],
    onDone: ({ account }) => toasts.done(`${account.name} can sign in again`),
  })
  const ownId = session?.person?.id
  const columns = useMemo(
    () =>
      accountColumns(ownId, {
        onLock: (account) => setQuestion({ type: 'lock', account }),
        onUnlock: ({ id }) => unlock({ id }),
        onDelete: (account) => setQuestion({ type: 'delete', account }),
      }),
    [ownId, unlock],
  )
  if (pages.isError && pages.data === undefined)
    return <ErrorState error={pages.error} onRetry={() => void pages.refetch()} />
  const find = (query: string): void =>
    void navigate({ search: query === '' ? {} : { q: query }, replace: true })
  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-4 px-4 py-3">
        <p className="prose-width text-sm text-ink-2">
          Everyone who can sign in to this service, in any workspace. Visible to owners of the first
          workspace.
        </p>
        <Field label="Search by name or e-mail">
          <Input
            type="search"
            value={q ?? ''}
            onChange={(event) => find(event.currentTarget.value)}
            maxLength={254}
          />
        </Field>
      </div>
      <div className="flex min-h-60 flex-1 flex-col border-t border-line">
        <DataTable
          label="Accounts"
          columns={columns}
          rows={pages.data === undefined ? undefined : pages.items}
          rowId={rowId}
          more={pages.more}
          empty={
            <EmptyState title="No accounts match">No name or e-mail address contains this text.</EmptyState>
          }
        />
      </div>
      <AccountDialog question={question} onClose={() => setQuestion(undefined)} />
    </>
  )
}
