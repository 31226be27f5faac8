import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef } from 'react'
import { post } from '../sign-in/auth.ts'
import { Button } from '../ui/button.tsx'
import { sentenceOf } from '../ui/error-state.tsx'
import { Field, Input } from '../ui/field.tsx'
import { useToasts } from '../ui/toast.tsx'
import { sessionsKey } from './session-list.tsx'

/** Changes the password, which ends the other sessions. */
export function PasswordForm() {
  const form = useRef<HTMLFormElement>(null)
  const toasts = useToasts()
  const queries = useQueryClient()
  const change = useMutation({
    mutationFn: (values: object) => post('/auth/change-password', values),
    onSuccess: async () => {
      form.current?.reset()
      toasts.done('Password changed. Your other sessions have ended')
      await queries.invalidateQueries({ queryKey: sessionsKey })
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    change.mutate(Object.fromEntries(new FormData(event.currentTarget)))
  }
  return (
    <form ref={form} onSubmit={submit} className="flex flex-col gap-3">
      <Field label="Current password">
        <Input name="currentPassword" type="password" autoComplete="current-password" required />
      </Field>
      <Field label="New password">
        <Input
          name="newPassword"
          type="password"
          autoComplete="new-password"
          required
          minLength={10}
          maxLength={128}
        />
      </Field>
      <p className="text-sm text-ink-2">This signs you out on all other devices.</p>
      {change.isError && (
        <p role="alert" className="text-sm text-bad">
          {sentenceOf(change.error).description}
        </p>
      )}
      <div>
        <Button type="submit" isBusy={change.isPending}>
          Change password
        </Button>
      </div>
    </form>
  )
}
