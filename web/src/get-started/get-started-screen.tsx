/** From nothing to the first trace: a key, a snippet to paste, and the trace as it arrives. */
import type { ReactNode } from 'react'
import { useRead } from '../app/api.ts'
import { Screen } from '../app/screen.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { ArrivalStep } from './arrival-step.tsx'
import { KeyStep } from './key-step.tsx'
import { getStartedRoute } from './routes.ts'
import { SampleData } from './sample-data.tsx'
import { SnippetStep } from './snippet-step.tsx'
import { snippetsOf } from './snippets.ts'
import { useFirstKey } from './use-first-key.ts'

/** The placeholder for the key until there is one. */
const anyKey = 'YOUR_API_KEY'

export function GetStartedScreen() {
  const { with: snippetId = 'python' } = getStartedRoute.useSearch()
  const navigate = getStartedRoute.useNavigate()
  const [secret, setSecret] = useFirstKey()
  const addresses = useRead('addresses.get', {})
  return (
    <Screen title="Get started">
      <div className="grid grid-cols-[minmax(0,1fr)_minmax(280px,360px)] items-start gap-x-8 gap-y-6 p-4 max-lg:grid-cols-1">
        <div className="flex min-w-0 flex-col gap-6">
          <p className="prose-width text-ink-2">
            A trace is one run of your application. Send one to see what it did, what it cost and how long it
            took.
          </p>
          <Step number={1} title="Create an API key">
            <KeyStep secret={secret} onSecret={setSecret} />
          </Step>
          <Step number={2} title="Send a trace">
            {addresses.isError && addresses.data === undefined ? (
              <ErrorState error={addresses.error} onRetry={() => void addresses.refetch()} />
            ) : addresses.data === undefined ? (
              <Skeleton className="h-80 w-full" />
            ) : (
              <SnippetStep
                snippets={snippetsOf(addresses.data, secret === '' ? anyKey : secret)}
                snippetId={snippetId}
                onChoose={(next) =>
                  void navigate({ search: (previous) => ({ ...previous, with: next }), replace: true })
                }
                secret={secret === '' ? anyKey : secret}
              />
            )}
          </Step>
        </div>
        <div className="flex flex-col gap-6 lg:sticky lg:top-4">
          <Step number={3} title="See it arrive">
            <ArrivalStep />
          </Step>
          <SampleData />
        </div>
      </div>
    </Screen>
  )
}

interface StepProps {
  readonly number: number
  readonly title: string
  readonly children: ReactNode
}

function Step({ number, title, children }: StepProps) {
  return (
    <section aria-label={title} className="flex min-w-0 flex-col gap-3">
      <h2 className="flex items-center gap-2 text-lg font-semibold">
        <span
          aria-hidden
          className="grid size-6 place-items-center rounded-full border border-line-strong text-xs font-medium text-ink-2"
        >
          {number}
        </span>
        {title}
      </h2>
      {children}
    </section>
  )
}
