import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { basePath } from '../ui/base-path.ts'
import { Button } from '../ui/button.tsx'
import { sentenceOf } from '../ui/error-state.tsx'
import { get, post, type SignInOptions } from './auth.ts'
import { Entry, EntryForm } from './entry.tsx'
import { explainRefusal } from './explain-refusal.ts'
import { signInRoute } from './routes.ts'

export function SignInScreen() {
  const { from, error } = signInRoute.useSearch()
  const options = useQuery({
    queryKey: ['auth.options'],
    queryFn: () => get<SignInOptions>('/auth/options'),
    retry: false,
  }).data
  // A response of the identity provider is valid once: a user who goes back to it is already signed in.
  useQuery({
    queryKey: ['auth.session'],
    queryFn: async () => {
      await get('/session')
      location.replace(`${basePath}/app/`)
      return null
    },
    enabled: error !== undefined,
    retry: false,
  })
  return (
    <Entry title="Sign in">
      {options?.needsSetUp === true && (
        <p className="mt-2 text-sm text-ink-2">
          Plumbline is not set up yet. Open the setup link printed when the service started.
        </p>
      )}
      {error !== undefined && (
        <p role="alert" className="mt-2 text-sm text-bad">
          {explainRefusal(error, options?.oidc?.name)}
        </p>
      )}
      <EntryForm
        action="Sign in"
        to={from}
        send={(values) => post('/auth/sign-in/email', values)}
        fields={[
          { name: 'email', label: 'E-mail', type: 'email', autoComplete: 'username' },
          { name: 'password', label: 'Password', type: 'password', autoComplete: 'current-password' },
        ]}
      />
      {options !== undefined && <Forgotten resetsByMail={options.resetsByMail} />}
      {options?.oidc && <OrganizationSignIn name={options.oidc.name} from={from} />}
    </Entry>
  )
}

function Forgotten({ resetsByMail }: Pick<SignInOptions, 'resetsByMail'>) {
  return (
    <p className="mt-4 text-sm text-ink-2">
      {resetsByMail ? (
        <Link to="/forgot" className="text-accent-ink hover:underline">
          Forgot password?
        </Link>
      ) : (
        'Forgot your password? Ask an admin of your workspace for a link to a new one.'
      )}
    </p>
  )
}

interface OrganizationSignInProps {
  readonly name: string
  readonly from: string | undefined
}

/** Redirects to the organization's single sign-on, and back. */
function OrganizationSignIn({ name, from = '/' }: OrganizationSignInProps) {
  const leaving = useMutation({
    mutationFn: () =>
      post<{ url: string }>('/auth/sign-in/social', {
        provider: 'oidc',
        callbackURL: `${basePath}/app${from}`,
      }),
    onSuccess: ({ url }) => location.assign(url),
  })
  return (
    <div className="mt-4 flex flex-col gap-2 border-t border-line pt-4">
      <Button onClick={() => leaving.mutate()} isBusy={leaving.isPending}>
        Sign in with {name}
      </Button>
      {leaving.isError && (
        <p role="alert" className="text-sm text-bad">
          {sentenceOf(leaving.error).description}
        </p>
      )}
    </div>
  )
}
