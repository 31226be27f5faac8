/** One case in full: its input, and the output of each experiment. */
import { Link } from '@tanstack/react-router'
import { ExternalLink, GitCompareArrows } from 'lucide-react'
import { Badge } from '../ui/badge.tsx'
import { buttonClass } from '../ui/button.tsx'
import { PanelHeader } from '../ui/panel-header.tsx'
import { DiffView } from '../ui/text/diff-view.tsx'
import { Nothing } from '../ui/text/values.tsx'
import type { ComparedCase, Comparison } from './case-columns.tsx'
import { Deltas } from './deltas.tsx'
import { readableText } from './measures.ts'

interface CasePanelProps {
  readonly comparison: Comparison
  readonly entry: ComparedCase
  readonly onClose: () => void
}

export function CasePanel({ comparison, entry, onClose }: CasePanelProps) {
  const { experiments, baselineId, measures } = comparison
  const { cells, input, idealOutput, isRegression } = entry
  const lower = new Set(measures.filter((measure) => measure.lowerIsBetter).map(({ name }) => name))
  const baseline = cells.find(({ experimentId }) => experimentId === baselineId)
  const ordered = [...cells].sort(
    (a, b) => Number(b.experimentId === baselineId) - Number(a.experimentId === baselineId),
  )
  return (
    <>
      <PanelHeader
        title={
          <span className="flex items-center gap-2">
            Case {isRegression && <Badge tone="bad">Regression</Badge>}
          </span>
        }
        onClose={onClose}
      />
      <div className="flex min-h-0 flex-1 flex-col gap-6 overflow-y-auto p-4">
        <Text label="Input" text={readableText(input)} />
        {idealOutput !== null && <Text label="Ideal output" text={readableText(idealOutput)} />}
        {ordered.map((cell) => {
          const { experimentId, traceIds, output } = cell
          const isBaseline = experimentId === baselineId
          const name = experiments.find(({ id }) => id === experimentId)?.name ?? experimentId
          const [traceId] = traceIds
          const [baselineTrace] = baseline?.traceIds ?? []
          return (
            <section
              key={experimentId}
              aria-label={name}
              className="flex flex-col gap-2 border-t border-line pt-4"
            >
              <header className="flex flex-wrap items-center gap-2">
                <h3 className="min-w-0 flex-1 truncate font-medium" title={name} dir="auto">
                  {name}
                </h3>
                {isBaseline && <Badge>Baseline</Badge>}
                {traceIds.length > 1 && (
                  <Badge title="Values are means; the output is the latest">{traceIds.length} runs</Badge>
                )}
                {traceId !== undefined && (
                  <Link to="/traces/$id" params={{ id: traceId }} className={buttonClass('quiet', 'small')}>
                    <ExternalLink aria-hidden size={14} />
                    Trace
                  </Link>
                )}
                {!isBaseline && traceId !== undefined && baselineTrace !== undefined && (
                  <Link
                    to="/traces/diff"
                    search={{ a: baselineTrace, b: traceId }}
                    className={buttonClass('plain', 'small')}
                  >
                    <GitCompareArrows aria-hidden size={14} />
                    Both traces
                  </Link>
                )}
              </header>
              {traceId === undefined ? (
                <p className="text-sm text-ink-3">This case did not run in this experiment.</p>
              ) : (
                <>
                  <Deltas {...cell} lowerIsBetter={(measure) => lower.has(measure)} />
                  {isBaseline || baseline?.output == null || output === null ? (
                    <p className="text-sm break-words whitespace-pre-wrap" dir="auto">
                      {output === null ? <span className="text-ink-3">No output</span> : readableText(output)}
                    </p>
                  ) : (
                    <DiffView
                      unit="words"
                      before={readableText(baseline.output)}
                      after={readableText(output)}
                      label={`Changes of ${name} from the baseline`}
                    />
                  )}
                </>
              )}
            </section>
          )
        })}
      </div>
    </>
  )
}

const Text = ({ label, text }: { readonly label: string; readonly text: string }) => (
  <section aria-label={label}>
    <h3 className="mb-1 text-xs font-medium text-ink-3">{label}</h3>
    <p className="max-h-80 overflow-y-auto text-sm break-words whitespace-pre-wrap" dir="auto">
      {text === '' ? <Nothing /> : text}
    </p>
  </section>
)
