/** What is the person's own: name, password, sessions, and how the page looks on this device. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { refresh } from '../app/api.ts'
import { useSession } from '../app/session.tsx'
import { post } from '../sign-in/auth.ts'
import { Button } from '../ui/button.tsx'
import { Field, Input } from '../ui/field.tsx'
import { useToasts } from '../ui/toast.tsx'
import { AppearanceForm } from './appearance-form.tsx'
import { PasswordForm } from './password-form.tsx'
import { Section } from './section.tsx'
import { SessionList } from './session-list.tsx'

export function ProfileTab() {
  const { session } = useSession()
  return (
    <>
      <Section title="Profile" hint="How others see you, next to your changes and scores.">
        <NameForm name={session?.person?.name ?? ''} />
        <Field label="E-mail" hint="You sign in with this address. It cannot be changed.">
          <Input value={session?.person?.email ?? ''} disabled readOnly />
        </Field>
      </Section>
      <Section title="Appearance" hint="Applies to this device only.">
        <AppearanceForm />
      </Section>
      <Section title="Password" hint="At least ten characters and hard to guess. A few words work well.">
        <PasswordForm />
      </Section>
      <Section
        title="Sessions"
        hint="Where you are signed in. If you don’t recognise a session, end it and change your password."
      >
        <SessionList />
      </Section>
    </>
  )
}

function NameForm({ name }: { readonly name: string }) {
  const [typed, setTyped] = useState(name)
  useEffect(() => setTyped(name), [name])
  const toasts = useToasts()
  const queries = useQueryClient()
  const rename = useMutation({
    mutationFn: () => post('/auth/update-user', { name: typed.trim() }),
    onSuccess: async () => {
      await refresh(queries, ['session.get', 'members.list'])
      toasts.done('Name changed')
    },
    onError: toasts.fail,
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    rename.mutate()
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <Field label="Your name">
        <Input
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="name"
          required
          maxLength={128}
        />
      </Field>
      {typed.trim() !== name && (
        <div className="flex gap-2">
          <Button type="submit" look="primary" disabled={typed.trim() === ''} isBusy={rename.isPending}>
            Save
          </Button>
          <Button onClick={() => setTyped(name)}>Cancel</Button>
        </div>
      )}
    </form>
  )
}
