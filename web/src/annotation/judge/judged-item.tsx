/** One item, large: its input, output, ideal output and retrieved context. */
import type { AnnotationItem } from '@plumbline/sdk'
import { Link } from '@tanstack/react-router'
import { ExternalLink } from 'lucide-react'
import { useRead } from '../../app/api.ts'
import { ReadingModeSwitch, useReadingMode } from '../../traces/messages/reading-mode.tsx'
import { ValueView } from '../../traces/messages/value-view.tsx'
import { Section } from '../../traces/trace/log/section.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { RelativeTime } from '../../ui/text/values.tsx'
import { shownItem } from './shown-item.ts'

export function JudgedItem({ item }: { readonly item: AnnotationItem }) {
  const query = useRead('traces.get', { id: item.traceId })
  const [mode, setMode] = useReadingMode()
  // While the next item loads, the response still belongs to the previous one.
  const trace = query.data?.trace.id === item.traceId ? query.data.trace : undefined
  if (trace === undefined)
    return query.isError ? (
      <ErrorState error={query.error} onRetry={() => void query.refetch()} />
    ) : (
      <Loading />
    )
  const content = shownItem(trace, item.logId)
  if (content === undefined)
    return <EmptyState title="Log not found">The trace no longer has this log. Skip this item.</EmptyState>
  return (
    <>
      <header className="flex min-h-11 items-center gap-3 border-b border-line px-4">
        <h2 dir="auto" className="min-w-0 flex-1 truncate text-base font-semibold" title={content.name}>
          {content.name}
        </h2>
        <span className="text-xs text-ink-3 max-sm:hidden">
          <RelativeTime time={trace.startTime} />
        </span>
        <ReadingModeSwitch mode={mode} onChange={setMode} />
        <Link
          to="/traces/$id"
          params={{ id: trace.id }}
          search={item.logId === null ? {} : { log: item.logId }}
          target="_blank"
          aria-label="Open the trace in a new tab"
          title="Open the trace in a new tab"
          className={buttonClass('quiet', 'smallSquare')}
        >
          <ExternalLink aria-hidden size={14} />
        </Link>
      </header>
      <Section title="Input">
        <ValueView value={content.input} side="input" mode={mode} label="Input" />
      </Section>
      <Section title="Output">
        <ValueView value={content.output} side="output" mode={mode} label="Output" />
      </Section>
      {content.idealOutput !== null && (
        <Section title="Ideal output">
          <ValueView value={content.idealOutput} side="output" mode={mode} label="Ideal output" />
        </Section>
      )}
      {content.context.map(({ id, name, value: content }) => (
        <Section key={id} title="Retrieved context" hint={name}>
          <ValueView value={content} side="output" mode={mode} label={`Retrieved by ${name}`} />
        </Section>
      ))}
    </>
  )
}

const Loading = () => (
  <div role="status" aria-label="Loading item" className="flex flex-col gap-4 p-4">
    <Skeleton className="h-5 w-1/3" />
    <Skeleton className="h-24 w-full" />
    <Skeleton className="h-40 w-full" />
  </div>
)
