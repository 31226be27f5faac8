import { useState } from 'react'
import { useChange, useRead } from '../app/api.ts'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Field, Input } from '../ui/field.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { useToasts } from '../ui/toast.tsx'

/** For how many days traces stay; empty keeps them for good. */
export function RetentionForm({ isEditable }: { readonly isEditable: boolean }) {
  const retention = useRead('retention.get', {})
  const [typed, setTyped] = useState<string>()
  const [isAsking, setAsking] = useState(false)
  const toasts = useToasts()
  const update = useChange('retention.update', {
    refreshes: ['retention.get'],
    onDone: ({ days }) => {
      setTyped(undefined)
      setAsking(false)
      toasts.done(days === null ? 'Traces are kept forever' : `Traces are kept for ${days} days`)
    },
  })
  if (retention.isError && retention.data === undefined)
    return <ErrorState error={retention.error} onRetry={() => void retention.refetch()} />
  if (retention.data === undefined) return <Skeleton className="h-8 w-full" />
  const { days } = retention.data
  const shown = typed ?? (days === null ? '' : String(days))
  const nextDays = shown === '' ? null : Number(shown)
  const isPossible = nextDays === null || (Number.isInteger(nextDays) && nextDays >= 1 && nextDays <= 36_500)
  const takesAway = nextDays !== null && (days === null || nextDays < days)
  const save = (): void => update.mutate({ days: nextDays })
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (takesAway) setAsking(true)
        else save()
      }}
    >
      <Field
        label="Days"
        hint={nextDays === null ? 'Leave empty to keep traces forever.' : undefined}
        problem={
          isPossible ? undefined : 'Enter a whole number from 1 to 36500, or leave empty to keep all traces.'
        }
      >
        <Input
          className="max-w-40"
          inputMode="numeric"
          value={shown}
          placeholder="Forever"
          disabled={!isEditable}
          onChange={(event) => setTyped(event.currentTarget.value.trim())}
        />
      </Field>
      {isEditable && isPossible && nextDays !== days && (
        <div className="flex gap-2">
          <Button type="submit" look={takesAway ? 'danger' : 'primary'} isBusy={update.isPending}>
            Save
          </Button>
          <Button onClick={() => setTyped(undefined)}>Cancel</Button>
        </div>
      )}
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={`Delete traces older than ${shown} days?`}
        action="Delete and keep deleting"
        isBusy={update.isPending}
        onConfirm={save}
      >
        Every trace that arrived more than {shown} days ago will be deleted within the hour, with its logs and
        scores. This cannot be undone.
      </ConfirmDialog>
    </form>
  )
}
