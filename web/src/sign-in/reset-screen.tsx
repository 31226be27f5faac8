import { post } from './auth.ts'
import { Entry, EntryForm } from './entry.tsx'
import { resetRoute } from './routes.ts'

/** The target of a password reset link. */
export function ResetScreen() {
  const { token = '' } = resetRoute.useSearch()
  return (
    <Entry title="Choose a new password">
      <p className="mt-2 text-sm text-ink-2">This signs you out everywhere else.</p>
      <EntryForm
        action="Save password"
        send={(values) => post('/auth/reset-password', { token, ...values })}
        fields={[
          {
            name: 'password',
            label: 'New password',
            type: 'password',
            autoComplete: 'new-password',
            hint: 'At least 10 characters.',
          },
        ]}
      />
    </Entry>
  )
}
