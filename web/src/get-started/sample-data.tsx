/** Adds sample data, for a look around before the first trace arrives. */

import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Database } from 'lucide-react'
import { useState } from 'react'
import { useSession } from '../app/session.tsx'
import { fetchInWorkspace } from '../app/workspace/workspace-choice.ts'
import { basePath, serviceUrl } from '../ui/base-path.ts'
import { Button, buttonClass } from '../ui/button.tsx'

interface Progress {
  readonly recorded: number
  readonly toRecord: number
}

/** Built beside the app by `npm run build`; see cli/src/demo/in-browser.ts. */
interface SampleModule {
  addSamples(
    service: { readonly url: string; readonly fetch: typeof fetch },
    onProgress: (progress: Progress) => void,
  ): Promise<void>
}

type State =
  | { readonly type: 'idle' | 'done' }
  | { readonly type: 'adding'; readonly progress: Progress | undefined }
  | { readonly type: 'failed'; readonly message: string }

export function SampleData() {
  const { may } = useSession()
  const queries = useQueryClient()
  const [state, setState] = useState<State>({ type: 'idle' })
  if (!may('admin')) return null

  const add = async (): Promise<void> => {
    setState({ type: 'adding', progress: undefined })
    try {
      const address = `${basePath}/app/sample-data.js`
      // Safe: the build generates this module, which is not part of the app's bundle.
      const { addSamples } = (await import(/* @vite-ignore */ address)) as SampleModule
      await addSamples({ url: serviceUrl, fetch: fetchInWorkspace }, (progress) =>
        setState({ type: 'adding', progress }),
      )
      setState({ type: 'done' })
      await queries.invalidateQueries()
    } catch (error) {
      setState({ type: 'failed', message: error instanceof Error ? error.message : String(error) })
    }
  }

  return (
    <section aria-label="Sample data" className="flex flex-col gap-3 rounded border border-line p-4 text-sm">
      <div>
        <h2 className="font-medium">Nothing to send yet?</h2>
        <p className="text-ink-2">
          Fill this workspace with realistic data: 400 traces from the last two weeks, prompts, datasets,
          experiments, evaluators and alerts.
        </p>
      </div>
      <div role="status" className="flex flex-wrap items-center gap-x-3 gap-y-2">
        {state.type === 'done' ? (
          <Link to="/traces" className={buttonClass('primary')}>
            See the traces
          </Link>
        ) : (
          <Button
            icon={<Database aria-hidden size={14} />}
            isBusy={state.type === 'adding'}
            onClick={() => void add()}
          >
            Add sample data
          </Button>
        )}
        <Status state={state} />
      </div>
    </section>
  )
}

function Status({ state }: { readonly state: State }) {
  if (state.type === 'done') return <span>The sample data was added.</span>
  if (state.type === 'failed')
    return <span className="text-bad">The sample data could not be added: {state.message}</span>
  if (state.type !== 'adding' || state.progress === undefined) return null
  const { recorded, toRecord } = state.progress
  return (
    <span className="text-ink-2">
      {recorded} of {toRecord} traces
    </span>
  )
}
