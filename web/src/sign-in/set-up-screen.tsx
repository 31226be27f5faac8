import { post } from './auth.ts'
import { Entry, EntryForm } from './entry.tsx'
import { setUpRoute } from './routes.ts'

/** The target of the one-time link that creates the first owner. */
export function SetUpScreen() {
  const { token = '' } = setUpRoute.useSearch()
  return (
    <Entry title="Set up Plumbline">
      <p className="mt-2 text-sm text-ink-2">You will be the owner. You can invite others in the settings.</p>
      <EntryForm
        action="Set up"
        to="/get-started"
        send={(values) => post('/auth/set-up', { token, ...values })}
        fields={[
          { name: 'name', label: 'Your name', autoComplete: 'name' },
          { name: 'email', label: 'E-mail', type: 'email', autoComplete: 'username' },
          {
            name: 'password',
            label: 'Password',
            type: 'password',
            autoComplete: 'new-password',
            hint: 'At least 10 characters.',
          },
        ]}
      />
    </Entry>
  )
}
