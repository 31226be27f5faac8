/** The figures of one log: time, tokens by bucket, cost with its breakdown, model, prompt version. */
import { recordedLogFields, traceFields } from '@plumbline/sdk/trace-fields'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Tooltip } from '../../../ui/overlay/tooltip.tsx'
import { formatDuration } from '../../../ui/text/format.ts'
import { Duration, ExactTime, Money, Tokens } from '../../../ui/text/values.tsx'
import type { ReadTrace } from '../read-trace.ts'
import { type LogNode, selfMs } from '../tree/trace-tree.ts'
import { CostDetail } from './cost-detail.tsx'
import { UsageDetail } from './usage-detail.tsx'

interface LogFactsProps {
  readonly read: ReadTrace
  readonly node: LogNode
}

export function LogFacts({ read, node }: LogFactsProps) {
  const { log, startMs, endMs, sums } = node
  const own = selfMs(read.nodes, node)
  const durationMs = startMs === undefined || endMs === undefined ? null : endMs - startMs
  const hasBelow = sums.logs > 0
  return (
    <dl className="flex flex-wrap gap-x-6 gap-y-2 border-b border-line px-4 py-2 text-sm">
      <Fact label="Duration">
        {startMs !== undefined && endMs === undefined ? 'not finished' : <Duration value={durationMs} />}
        {hasBelow && own !== undefined && (
          <span className="text-xs text-ink-3" title="Excludes its direct child logs">
            self <Duration value={own} />
          </span>
        )}
      </Fact>
      {recordedLogFields.flatMap(({ name }) =>
        log[name] == null
          ? []
          : [
              <Fact key={name} label={traceFields[name].label}>
                <Duration value={log[name]} />
              </Fact>,
            ],
      )}
      <Fact label="Started">
        <ExactTime time={log.startTime} />
        {startMs !== undefined && (
          <span className="numbers text-2xs whitespace-nowrap text-ink-3">
            +{formatDuration(Math.max(0, startMs - read.startMs))}
          </span>
        )}
      </Fact>
      {log.inputTokens != null || log.outputTokens != null ? (
        <Fact label="Tokens">
          <Explained
            detail={log.usage && <UsageDetail usage={log.usage} isEstimate={log.tokensEstimated === true} />}
          >
            <Tokens value={log.inputTokens} isEstimate={log.tokensEstimated === true} />
            {' in '}
            <Tokens value={log.outputTokens} isEstimate={log.tokensEstimated === true} />
            {' out'}
          </Explained>
        </Fact>
      ) : (
        hasBelow &&
        sums.inputTokens + sums.outputTokens > 0 && (
          <Fact label="Tokens below">
            <Tokens value={sums.inputTokens} isEstimate={sums.tokensEstimated} /> in{' '}
            <Tokens value={sums.outputTokens} isEstimate={sums.tokensEstimated} /> out
          </Fact>
        )
      )}
      {log.cost != null ? (
        <Fact label="Cost">
          <Explained detail={<CostDetail log={log} />}>
            <Money value={log.cost} isEstimate={log.tokensEstimated === true} />
          </Explained>
        </Fact>
      ) : log.type === 'generation' && log.model && log.inputTokens != null ? (
        <Fact label="Cost">
          <Link
            to="/settings/prices"
            title="No price is known for this model. An admin can set one for future calls."
            className="text-accent-ink hover:underline"
          >
            no price
          </Link>
        </Fact>
      ) : (
        sums.cost !== null && (
          <Fact label="Cost below">
            <Money value={sums.cost} isEstimate={sums.tokensEstimated} />
          </Fact>
        )
      )}
      {log.model && (
        <Fact label="Model">
          <span className="truncate" title={log.provider ? `${log.model}, by ${log.provider}` : log.model}>
            {log.model}
          </span>
        </Fact>
      )}
      {log.prompt && (
        <Fact label="Prompt">
          <Link
            to="/prompts/$slug"
            params={{ slug: log.prompt.slug }}
            search={{ version: log.promptVersion ?? log.prompt.version ?? undefined }}
            className="truncate text-accent-ink hover:underline"
          >
            {log.prompt.slug}
            {log.promptVersion ? ` ${log.promptVersion}` : ''}
          </Link>
          {log.prompt.tag && <span className="text-xs text-ink-3">{log.prompt.tag}</span>}
        </Fact>
      )}
    </dl>
  )
}

const Fact = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <div className="min-w-0">
    <dt className="text-xs text-ink-3">{label}</dt>
    <dd dir="auto" className="flex h-5 max-w-72 min-w-0 items-center gap-1.5">
      {children}
    </dd>
  </div>
)

interface ExplainedProps {
  /** The details shown when the figure is hovered or focused. */
  readonly detail: ReactNode
  readonly children: ReactNode
}

function Explained({ detail, children }: ExplainedProps) {
  if (!detail) return children
  return (
    <Tooltip text={detail} side="bottom">
      <button
        type="button"
        className="cursor-help rounded-sm underline decoration-line-strong decoration-dotted underline-offset-4"
      >
        {children}
      </button>
    </Tooltip>
  )
}
