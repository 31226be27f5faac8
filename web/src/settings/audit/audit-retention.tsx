import { type FormEvent, useState } from 'react'
import { useChange, useRead } from '../../app/api.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Input } from '../../ui/form/field.tsx'
import { useToasts } from '../../ui/overlay/toast.tsx'

/** The limits of the contract; the service rejects other values. */
const daysMin = 30
const daysMax = 36_500

/** For how many days entries are kept; empty keeps them forever. For owners. */
export function AuditRetention() {
  const current = useRead('audit.settings', {}).data?.settings.days
  const [editedDays, setTyped] = useState<string>()
  const toasts = useToasts()
  const configure = useChange('audit.configure', {
    refreshes: ['audit.settings', 'audit.list'],
    onDone: ({ settings: { days } }) => {
      setTyped(undefined)
      toasts.done(days === null ? 'Entries are kept forever' : `Entries are kept for ${days} days`)
    },
  })
  if (current === undefined) return null
  const text = editedDays ?? String(current ?? '')
  const days = text === '' ? null : Number(text)
  const isPossible = days === null || (Number.isInteger(days) && days >= daysMin && days <= daysMax)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (isPossible) configure.mutate({ days })
  }
  return (
    <form onSubmit={submit} className="flex items-end gap-2">
      <Field
        label="Days to keep entries"
        problem={isPossible ? undefined : `From ${daysMin} to ${daysMax}, or empty for all.`}
      >
        <Input
          className="max-w-40"
          inputMode="numeric"
          value={text}
          placeholder="Forever"
          onChange={(event) => setTyped(event.currentTarget.value.trim())}
        />
      </Field>
      {isPossible && days !== current && (
        <Button type="submit" look="primary" isBusy={configure.isPending}>
          Save
        </Button>
      )}
    </form>
  )
}
