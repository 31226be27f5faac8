/** The user's own settings: name, password, sessions, and the appearance on this device. */
import { useQueryClient } from '@tanstack/react-query'
import { refresh } from '../../app/api.ts'
import { useSession } from '../../app/session.tsx'
import { post } from '../../sign-in/auth.ts'
import type { InputProblem } from '../../ui/form/check-input.ts'
import { Field, Input } from '../../ui/form/field.tsx'
import { TextField } from '../../ui/form/fields.tsx'
import { BareForm } from '../../ui/form/form.tsx'
import { SaveChanges } from '../../ui/form/save-changes.tsx'
import { useForm } from '../../ui/form/use-form.ts'
import { useToasts } from '../../ui/overlay/toast.tsx'
import { Section } from '../section.tsx'
import { AppearanceForm } from './appearance-form.tsx'
import { PasswordForm } from './password-form.tsx'
import { SessionList } from './session-list.tsx'

export function ProfileTab() {
  const { session } = useSession()
  return (
    <>
      <Section title="Profile" hint="How others see you, next to your changes and scores.">
        <NameForm key={session?.person?.name} name={session?.person?.name ?? ''} />
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
        hint="Where you are signed in. If you don’t recognize a session, end it and change your password."
      >
        <SessionList />
      </Section>
    </>
  )
}

function NameForm({ name }: { readonly name: string }) {
  const toasts = useToasts()
  const queries = useQueryClient()
  const form = useForm({
    initial: { name },
    check: (values): readonly InputProblem[] =>
      values.name.trim() === '' ? [{ path: 'name', problem: 'must not be empty' }] : [],
    toInput: (values) => ({ name: values.name.trim() }),
    send: async (input) => {
      await post('/auth/update-user', input)
      await refresh(queries, ['session.get', 'members.list'])
      toasts.done('Name changed')
    },
  })
  return (
    <BareForm form={form} className="flex flex-col gap-3">
      <TextField form={form} name="name" label="Your name" autoComplete="name" maxLength={128} />
      <SaveChanges form={form} action="Save" />
    </BareForm>
  )
}
