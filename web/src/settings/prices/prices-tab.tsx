/** Model prices: a lookup of the current price, and the workspace's own prices, which take precedence. */
import type { PriceOverride } from '@plumbline/sdk'
import { CircleDollarSign, Plus } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'
import { useRead } from '../../app/api.ts'
import { DeleteDialog } from '../../app/delete-dialog.tsx'
import { useCommands } from '../../app/palette/commands.tsx'
import { useSession } from '../../app/session.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { lateDialog } from '../../ui/overlay/late-dialog.tsx'
import { ListTab } from '../../ui/table/list-tab.tsx'
import { exactNumber } from '../../ui/text/format.ts'
import { pricesRoute } from '../routes.ts'
import { priceColumns } from './price-columns.tsx'
import { PriceLookup } from './price-lookup.tsx'

const NewPriceDialog = lateDialog(async () => (await import('./new-price-dialog.tsx')).NewPriceDialog)

const RecomputeDialog = lateDialog(async () => (await import('./recompute-dialog.tsx')).RecomputeDialog)

export function PricesTab() {
  const { sort, model = '' } = pricesRoute.useSearch()
  const navigate = pricesRoute.useNavigate()
  const prices = useRead('prices.list', {})
  const rows = prices.data?.priceOverrides
  const { may } = useSession()
  const mayChange = may('admin')
  const [isMaking, setMaking] = useState(false)
  const [isRecomputing, setRecomputing] = useState(false)
  const [deleting, setDeleting] = useState<PriceOverride>()
  const columns = useMemo(() => priceColumns(mayChange ? setDeleting : undefined), [mayChange])
  const lookUp = useCallback(
    (next: string | undefined) =>
      void navigate({ search: (previous) => ({ ...previous, model: next }), replace: true }),
    [navigate],
  )
  useCommands(
    mayChange ? [{ label: 'New price', words: 'create cost override', run: () => setMaking(true) }] : [],
  )
  const newPrice = mayChange && (
    <div className="flex gap-2">
      <Button onClick={() => setRecomputing(true)}>Recompute costs</Button>
      <Button look="primary" icon={<Plus aria-hidden size={14} />} onClick={() => setMaking(true)}>
        New price
      </Button>
    </div>
  )
  return (
    <>
      <ListTab
        intro={
          <div className="flex flex-col gap-2">
            <PriceLookup model={model} onModel={lookUp} />
            <PriceListInUse />
          </div>
        }
        actions={newPrice}
        label="Workspace prices"
        columns={columns}
        rows={rows}
        answer={prices}
        sort={sort}
        onSort={(next) => void navigate({ search: (previous) => ({ ...previous, sort: next }) })}
        empty={
          <EmptyState icon={<CircleDollarSign size={20} />} title="No prices of your own">
            Costs are computed from a list of public prices. If you pay a different price, or use a model that
            is not listed, add it here. It applies from the next trace on.
          </EmptyState>
        }
      />
      <RecomputeDialog isOpen={isRecomputing} onClose={() => setRecomputing(false)} />
      <NewPriceDialog isOpen={isMaking} model={model} onClose={() => setMaking(false)} />
      <DeleteDialog
        item={deleting}
        noun="price"
        operation="prices.delete"
        toInput={({ id }) => ({ id })}
        nameOf={({ model: name }) => name}
        refreshes={['prices.list', 'prices.find']}
        onClose={() => setDeleting(undefined)}
      >
        From the next trace on, <strong className="break-words">{deleting?.model}</strong> uses your other
        prices or the public price list. Existing costs do not change.
      </DeleteDialog>
    </>
  )
}

/** The public price list in use, and its origin. */
function PriceListInUse() {
  const list = useRead('prices.lists', {}).data?.priceLists.find(({ isInUse }) => isInUse)
  if (list === undefined) return null
  const origin = list.source === 'release' ? 'came with this release' : `was installed from ${list.source}`
  return (
    <p className="text-xs break-words text-ink-2">
      The price list {list.version}, with {exactNumber(list.models)} models, {origin}.
    </p>
  )
}
