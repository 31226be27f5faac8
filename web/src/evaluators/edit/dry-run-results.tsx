/** The dry-run result of each trace, beside the trace; the code is loaded with the first run. */
import type { DryRun, TraceSummary } from '@plumbline/sdk'
import { Link } from '@tanstack/react-router'
import { previewText } from '../../traces/list/rows/preview-text.ts'
import { useTracesById } from '../../traces/use-traces-by-id.ts'
import { Money } from '../../ui/text/values.tsx'
import { ScoreValue } from '../scores/score-value.tsx'

export function DryRunResults({ results }: { readonly results: readonly DryRun[] }) {
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

/** The judged text beside the reason, without which the verdict cannot be checked. */
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
