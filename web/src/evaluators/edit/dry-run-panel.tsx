/** Runs an evaluator on recorded traces before it is saved. */
import { Play } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useChange, useRead } from '../../app/api.ts'
import { Button } from '../../ui/button.tsx'
import { sentenceOf } from '../../ui/error-state.tsx'
import { Select } from '../../ui/form/select.tsx'
import { late } from '../../ui/late.ts'
import { callsModel, type Kind } from './kinds.ts'

const DryRunResults = late(async () => (await import('./dry-run-results.tsx')).DryRunResults)

const everyFeature = 'every'

interface DryRunPanelProps {
  readonly kind: Kind
  readonly config: Readonly<Record<string, unknown>>
  /** Whether the configuration is complete. */
  readonly isReady: boolean
  /** Called on each run: the form shows missing fields. */
  readonly onTry: () => void
}

export function DryRunPanel({ kind, config, isReady, onTry }: DryRunPanelProps) {
  const [feature, setFeature] = useState(everyFeature)
  const features = useRead('features.list', {}).data?.features ?? []
  const test = useChange('evaluators.test', { showsErrors: true })
  const run = (): void => {
    onTry()
    if (isReady) test.mutate({ kind, config, ...(feature !== everyFeature && { featureSlug: feature }) })
  }
  const results = test.data?.results
  return (
    <section
      aria-label="Dry run"
      className="flex min-h-0 flex-col border-line bg-sunken max-lg:border-t lg:border-l"
    >
      <div className="flex flex-col gap-3 border-b border-line p-4">
        <h2 className="text-base font-medium">Dry run</h2>
        <p className="text-sm text-ink-2">
          Scores the latest 20 traces without storing the results.
          {callsModel(kind) && ' Model calls cost money.'}
        </p>
        <div className="flex gap-2">
          <Select
            label="Feature"
            className="min-w-0 flex-1"
            choices={[
              { value: everyFeature, label: 'All features' },
              ...features.map(({ slug, name }) => ({ value: slug, label: name })),
            ]}
            value={feature}
            onChange={setFeature}
          />
          <Button icon={<Play aria-hidden size={14} />} isBusy={test.isPending} onClick={run}>
            Run
          </Button>
        </div>
      </div>
      <div aria-live="polite" className="min-h-0 flex-1 lg:overflow-y-auto">
        {test.isError ? (
          <NotTried error={test.error} kind={kind} />
        ) : results === undefined ? (
          <p className="p-4 text-sm text-ink-2">
            Run it to see each score with its reason. Open any trace where you disagree.
          </p>
        ) : results.length === 0 ? (
          <p className="p-4 text-sm text-ink-2">There are no traces to run it on yet.</p>
        ) : (
          <Suspense>
            <DryRunResults results={results} />
          </Suspense>
        )}
      </div>
    </section>
  )
}

function NotTried({ error, kind }: { readonly error: unknown; readonly kind: Kind }) {
  if (kind !== 'human')
    return (
      <p role="alert" className="p-4 text-sm break-words text-bad">
        {sentenceOf(error).description}
      </p>
    )
  return (
    <div role="alert" className="m-4 flex flex-col gap-1 rounded border border-line bg-surface p-3 text-sm">
      <p className="font-medium">This kind has no dry run</p>
      <p className="break-words text-ink-2">{sentenceOf(error).description}</p>
    </div>
  )
}
