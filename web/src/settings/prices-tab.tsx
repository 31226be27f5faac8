/** What models cost: a look at today's price, and the workspace's own prices, which win. */
import type { PriceOverride } from '@plumbline/sdk'
import { CircleDollarSign, Plus } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'
import { useChange, useRead } from '../app/api.ts'
import { useCommands } from '../app/commands.tsx'
import { useSession } from '../app/session.tsx'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ListTab } from '../ui/list-tab.tsx'
import { useToasts } from '../ui/toast.tsx'
import { NewPriceDialog } from './new-price-dialog.tsx'
import { priceColumns } from './price-columns.tsx'
import { PriceLookup } from './price-lookup.tsx'
import { pricesRoute } from './routes.ts'

export function PricesTab() {
  const { sort, model = '' } = pricesRoute.useSearch()
  const navigate = pricesRoute.useNavigate()
  const prices = useRead('prices.list', {})
  const rows = prices.data?.priceOverrides
  const { may } = useSession()
  const mayChange = may('admin')
  const [isMaking, setMaking] = useState(false)
  const [deleting, setDeleting] = useState<PriceOverride>()
  const columns = useMemo(() => priceColumns(mayChange ? setDeleting : undefined), [mayChange])
  const lookUp = useCallback(
    (next: string | undefined) =>
      void navigate({ search: (before) => ({ ...before, model: next }), replace: true }),
    [navigate],
  )
  useCommands(
    mayChange ? [{ label: 'New price', words: 'create cost override', run: () => setMaking(true) }] : [],
  )
  const newPrice = mayChange && (
    <Button look="primary" icon={<Plus aria-hidden size={14} />} onClick={() => setMaking(true)}>
      New price
    </Button>
  )
  return (
    <>
      <ListTab
        intro={<PriceLookup model={model} onModel={lookUp} />}
        actions={newPrice}
        label="Workspace prices"
        columns={columns}
        rows={rows}
        answer={prices}
        sort={sort}
        onSort={(next) => void navigate({ search: (before) => ({ ...before, sort: next }) })}
        empty={
          <EmptyState icon={<CircleDollarSign size={20} />} title="No prices of your own">
            Costs are computed from a list of public prices. If you pay a different price, or use a model that
            is not listed, add it here. It applies from the next trace on.
          </EmptyState>
        }
      />
      <NewPriceDialog isOpen={isMaking} model={model} onClose={() => setMaking(false)} />
      <DeletePriceDialog price={deleting} onClose={() => setDeleting(undefined)} />
    </>
  )
}

interface DeletePriceDialogProps {
  readonly price: PriceOverride | undefined
  readonly onClose: () => void
}

function DeletePriceDialog({ price, onClose }: DeletePriceDialogProps) {
  const toasts = useToasts()
  const remove = useChange('prices.delete', {
    refreshes: ['prices.list', 'prices.find'],
    onDone: () => {
      toasts.done(`Deleted the price of "${price?.model ?? ''}"`)
      onClose()
    },
  })
  return (
    <ConfirmDialog
      isOpen={price !== undefined}
      onClose={onClose}
      title="Delete this price?"
      action="Delete"
      isBusy={remove.isPending}
      onConfirm={() => price && remove.mutate({ id: price.id })}
    >
      From the next trace on, <strong className="break-words">{price?.model}</strong> uses another of your
      prices or the public price list. Existing costs do not change.
    </ConfirmDialog>
  )
}
