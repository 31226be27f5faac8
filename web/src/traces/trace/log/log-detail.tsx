/** Everything about one log, or about the trace itself. */
import { useMemo } from 'react'
import { Button } from '../../../ui/button.tsx'
import { DiffView } from '../../../ui/text/diff-view.tsx'
import { JsonTree } from '../../../ui/text/json-tree.tsx'
import { ReadingModeSwitch, useReadingMode } from '../../messages/reading-mode.tsx'
import { ValueView } from '../../messages/value-view.tsx'
import { writtenValue } from '../../messages/written-value.ts'
import { resentIn, resultsAfter } from '../conversation.ts'
import { describeSampling } from '../describe-sampling.ts'
import type { ReadTrace } from '../read-trace.ts'
import { LogIcon } from '../tree/log-icon.tsx'
import type { LogNode } from '../tree/trace-tree.ts'
import { detailId } from '../tree/tree-keys.ts'
import { useTraceEvaluations } from '../use-trace-evaluations.ts'
import { DetailHeader } from './detail-header.tsx'
import { ErrorSection } from './error-section.tsx'
import { EvaluationSection } from './evaluation-section.tsx'
import { LogFacts } from './log-facts.tsx'
import { ScoreSection } from './score-section.tsx'
import { Section } from './section.tsx'
import { UnreadAttributes } from './unread-attributes.tsx'
import { VariableList } from './variable-list.tsx'

interface LogDetailProps {
  readonly read: ReadTrace
  /** The trace itself if absent. */
  readonly node: LogNode | undefined
  readonly onLog: (logId: string | undefined) => void
}

export function LogDetail({ read, node, onLog }: LogDetailProps) {
  const { trace } = read
  const subject = node?.log ?? trace
  // The trace stands for its root span, so data that only the span has is shown here.
  const root = node === undefined ? read.root : undefined
  const [mode, setMode] = useReadingMode()
  const resent = useMemo(() => (node === undefined ? undefined : resentIn(read, node)), [read, node])
  const later = useMemo(() => (node === undefined ? undefined : resultsAfter(read, node)), [read, node])
  const { otel = root?.log.metadata?.otel, ...metadata } = subject.metadata ?? {}
  const variables = (node ?? root)?.log.variables ?? []
  const { evaluations, groups } = useTraceEvaluations(trace.id)
  const scores = trace.scores.filter(({ logId }) => logId === (node?.log.id ?? null))
  return (
    <section
      id={detailId}
      tabIndex={-1}
      aria-label={node === undefined ? 'The trace' : `Log ${node.log.name ?? node.log.type}`}
      className="min-h-0 min-w-0 flex-1 overflow-x-hidden overflow-y-auto -outline-offset-2"
    >
      <DetailHeader read={read} node={node} />
      {node !== undefined && <LogFacts read={read} node={node} />}
      {root !== undefined && <RootSpan root={root} onOpen={() => onLog(root.log.id)} />}
      {node === undefined && trace.warning !== null && (
        <p className="border-b border-line bg-warn-surface px-4 py-2 text-sm text-warn">{trace.warning}</p>
      )}
      <ErrorSection error={subject.metadata?.error ?? root?.log.metadata?.error} />
      <Section title="Input" actions={<ReadingModeSwitch mode={mode} onChange={setMode} />}>
        <ValueView
          value={subject.input}
          side="input"
          mode={mode}
          label="Input"
          resent={
            resent && {
              count: resent.count,
              name: resent.call.log.name ?? 'a call',
              onOpen: () => onLog(resent.call.log.id),
            }
          }
        />
      </Section>
      <Section title="Output">
        <ValueView value={subject.output} side="output" mode={mode} label="Output" later={later} />
      </Section>
      {subject.idealOutput !== null && (
        <Section title="Ideal output" hint="missing text is green, extra text is red">
          <DiffView
            before={writtenValue(subject.output)}
            after={writtenValue(subject.idealOutput)}
            unit="words"
            label="Output compared with ideal output"
          />
        </Section>
      )}
      <UnreadAttributes otel={otel} />
      {variables.length > 0 && (
        <Section title="Variables" hint={variables.length}>
          <VariableList variables={variables} />
        </Section>
      )}
      <ScoreSection traceId={trace.id} logId={node?.log.id} scores={scores} />
      <EvaluationSection
        traceId={trace.id}
        logId={node?.log.id}
        evaluations={evaluations}
        groups={groups}
        sampling={
          (subject.evaluators?.length ?? 0) > 0 || node === undefined ? describeSampling(trace) : undefined
        }
      />
      {Object.keys(metadata).length > 0 && (
        <Section title="Metadata">
          <JsonTree value={metadata} label="Metadata" />
        </Section>
      )}
      {otel !== undefined && otel !== null && (
        <Section title="OpenTelemetry" hint="the original span" isFolded>
          <JsonTree value={otel} label="OpenTelemetry" openDepth={2} />
        </Section>
      )}
    </section>
  )
}

interface RootSpanProps {
  readonly root: LogNode
  readonly onOpen: () => void
}

/** Opens the span itself: its own input, output, scores and attributes. */
const RootSpan = ({ root: { log }, onOpen }: RootSpanProps) => (
  <p className="flex items-center gap-2 border-b border-line px-4 py-2 text-sm text-ink-2">
    <LogIcon type={log.type} />
    <span className="min-w-0 flex-1">The trace and its root span share a row.</span>
    <Button size="small" onClick={onOpen}>
      Open the root span
    </Button>
  </p>
)
