import type { StoredTrace } from '@plumbline/sdk'
import { Link } from '@tanstack/react-router'
import { PanelHeader } from '../../ui/panel-header.tsx'
import { DiffView } from '../../ui/text/diff-view.tsx'
import { nothing } from '../../ui/text/format.ts'
import { writtenValue } from '../messages/written-value.ts'
import { Section } from '../trace/log/section.tsx'
import { errorOf, type LogNode } from '../trace/tree/trace-tree.ts'
import type { AlignedLogs } from './align.ts'

interface PairPanelProps {
  readonly pair: AlignedLogs
  readonly a: string
  readonly b: string
  readonly onClose: () => void
}

/** Two runs of one step: inputs, outputs and differences. */
export function PairPanel({ pair: { before, after }, a, b, onClose }: PairPanelProps) {
  const log = after ?? before
  return (
    <>
      <PanelHeader title={log?.log.name ?? log?.log.type ?? ''} onClose={onClose} />
      <div className="min-h-0 overflow-y-auto">
        <dl className="grid grid-cols-[64px_1fr_1fr] gap-x-3 gap-y-1 border-b border-line px-4 py-3 text-sm">
          <dt className="sr-only">Trace</dt>
          <dd className="col-start-2">
            <Side letter="A" traceId={a} node={before} />
          </dd>
          <dd>
            <Side letter="B" traceId={b} node={after} />
          </dd>
          <dt className="text-xs leading-5 text-ink-3">Model</dt>
          <dd className="truncate">{before?.log.model ?? nothing}</dd>
          <dd className="truncate">{after?.log.model ?? nothing}</dd>
          <dt className="text-xs leading-5 text-ink-3">Prompt</dt>
          <dd className="truncate">{promptOf(before)}</dd>
          <dd className="truncate">{promptOf(after)}</dd>
        </dl>
        <Compared title="Error" before={before && errorOf(before.log)} after={after && errorOf(after.log)} />
        <Compared title="Output" before={before?.log.output} after={after?.log.output} />
        <Compared title="Input" side="input" before={before?.log.input} after={after?.log.input} />
      </div>
    </>
  )
}

interface TracePanelProps {
  readonly before: StoredTrace
  readonly after: StoredTrace
  readonly onClose: () => void
}

/** The traces themselves: inputs, outputs and differences. */
export const TracePanel = ({ before, after, onClose }: TracePanelProps) => (
  <>
    <PanelHeader title="Input and output" onClose={onClose} />
    <div className="min-h-0 overflow-y-auto">
      <Compared title="Error" before={errorOf(before)} after={errorOf(after)} />
      <Compared title="Output" before={before.output} after={after.output} />
      <Compared title="Input" side="input" before={before.input} after={after.input} />
    </div>
  </>
)

const promptOf = (node: LogNode | undefined): string =>
  node?.log.prompt == null ? nothing : `${node.log.prompt.slug} ${node.log.promptVersion ?? ''}`

interface SideProps {
  readonly letter: 'A' | 'B'
  readonly traceId: string
  readonly node: LogNode | undefined
}

function Side({ letter, traceId, node }: SideProps) {
  if (node === undefined) return <span className="text-ink-3">Not in {letter}</span>
  return (
    <Link
      to="/traces/$id"
      params={{ id: traceId }}
      search={{ log: node.log.id }}
      className="font-medium text-accent-ink hover:underline"
    >
      Open in {letter}
    </Link>
  )
}

interface ComparedProps {
  readonly title: string
  readonly side?: 'input' | 'output'
  readonly before: unknown
  readonly after: unknown
}

function Compared({ title, side = 'output', before, after }: ComparedProps) {
  const [old, newValue] = [writtenValue(before, side), writtenValue(after, side)]
  if (old === '' && newValue === '') return null
  return (
    <Section title={title} hint={old === newValue ? 'identical' : undefined} isFolded={old === newValue}>
      {old === newValue ? (
        <pre className="max-h-96 overflow-auto font-mono text-xs leading-5 break-words whitespace-pre-wrap">
          {old.slice(0, 20_000)}
        </pre>
      ) : (
        <DiffView before={old} after={newValue} label={`${title}: A compared with B`} />
      )}
    </Section>
  )
}
