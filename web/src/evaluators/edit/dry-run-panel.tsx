/** Runs an evaluator on recorded traces before it is saved. */
import type { DryRun, TraceSummary } from '@plumbline/sdk'
import { Link } from '@tanstack/react-router'
import { Play } from 'lucide-react'
import { useState } from 'react'
import { useChange, useRead } from '../../app/api.ts'
import { previewText } from '../../traces/list/rows/preview-text.ts'
import { useTracesById } from '../../traces/use-traces-by-id.ts'
import { Button } from '../../ui/button.tsx'
import { sentenceOf } from '../../ui/error-state.tsx'
import { Select } from '../../ui/form/select.tsx'
import { Money } from '../../ui/text/values.tsx'
import { ScoreValue } from '../scores/score-value.tsx'
import { asksModel, type Kind } from './kinds.ts'

const everyFeature = 'every'

interface DryRunPanelProps {
  readonly kind: Kind
  readonly config: Readonly<Record<string, unknown>>
  /** Whether the configuration is complete. */
  readonly isReady: boolean
  /** Called with each run: the form shows what is missing. */
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
          {asksModel(kind) && ' Model calls cost money.'}
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
          <Results results={results} />
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

function Results({ results }: { readonly results: readonly DryRun[] }) {
  const traces = useTracesById(results.map(({ traceId }) => traceId))
  const verdicts = results.filter(({ value }) => value !== null)
  const passCount = verdicts.filter(({ value }) => value === true).length
  const isYesOrNo = verdicts.every(({ value }) => typeof value === 'boolean')
  const silent = results.length - verdicts.length
  return (
    <>
      <p className="border-b border-line px-4 py-2 text-sm font-medium">
        {isYesOrNo ? `${passCount} of ${verdicts.length} pass` : `${verdicts.length} judged`}
        {silent > 0 && <span className="font-normal text-ink-2">, {silent} skipped</span>}
      </p>
      <ul aria-label="Results">
        {results.map(({ traceId, value, comment, cost }) => (
          <li key={traceId} className="border-b border-line">
            <Link
              to="/traces/$id"
              params={{ id: traceId }}
              target="_blank"
              className="grid grid-cols-[3.5rem_minmax(0,1fr)_auto] items-start gap-x-3 gap-y-1 px-4 py-2.5 text-sm hover:bg-hover"
            >
              <span className="flex w-14 shrink-0 justify-start">
                <ScoreValue value={value} />
              </span>
              <DryRunSubject trace={traces.get(traceId)} comment={comment} />
              {cost !== undefined && (
                <span className="shrink-0 text-xs text-ink-3">
                  <Money value={cost} />
                </span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}

interface DryRunSubjectProps {
  /** Undefined until it is read. */
  readonly trace: TraceSummary | undefined
  readonly comment: string | null | undefined
}

/** What was judged beside why: without it nobody can judge the judge. */
function DryRunSubject({ trace, comment }: DryRunSubjectProps) {
  return (
    <span className="flex min-w-0 flex-col gap-1">
      {trace !== undefined && (
        <>
          <span dir="auto" className="line-clamp-2 break-words text-ink-2">
            {previewText(trace.inputPreview) || trace.name}
          </span>
          <span dir="auto" className={`line-clamp-3 break-words ${trace.error === null ? '' : 'text-bad'}`}>
            {trace.error ?? previewText(trace.outputPreview)}
          </span>
        </>
      )}
      {comment && (
        <span
          dir="auto"
          className="line-clamp-3 border-l-2 border-line-strong pl-2 text-xs break-words text-ink-2"
        >
          {comment}
        </span>
      )}
    </span>
  )
}
