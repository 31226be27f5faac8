import { Brain, ChevronRight, CornerDownRight, Wrench } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { exactNumber, formatBytes } from '../../ui/text/format.ts'
import { JsonTree } from '../../ui/text/json-tree.tsx'
import { safeImage, safeLink } from '../../ui/text/safe-address.ts'
import { LongText } from './long-text.tsx'
import type { Part } from './message.ts'
import type { ToolCall, ToolResult } from './pair-tools.ts'
import type { ReadingMode } from './reading-mode.tsx'

const FilePart = lazy(async () => ({ default: (await import('./file-part.tsx')).FilePart }))

interface PartViewProps {
  readonly part: Part
  /** The result of a call. */
  readonly result?: ToolResult | undefined
  readonly mode: ReadingMode
  readonly isCode?: boolean
}

/** One part of a message. */
export function PartView({ part, result, mode }: PartViewProps) {
  switch (part.type) {
    case 'text':
      return <LongText text={part.text} mode={mode} />
    case 'reasoning':
      return <Reasoning text={part.text} mode={mode} />
    case 'toolCall':
      return <Call call={part} result={result} mode={mode} />
    case 'toolResult':
      return <Result result={part} mode={mode} />
    case 'image':
      return <Image address={part.address} />
    case 'file':
      return (
        <Suspense fallback={<p className="h-6 text-sm text-ink-2">{part.name ?? 'A file'}</p>}>
          <FilePart {...part} />
        </Suspense>
      )
    case 'other':
      return <Json value={part.value} label="Part of a message" mode={mode} />
  }
}

interface ReasoningProps {
  readonly text: string
  readonly mode: ReadingMode
}

function Reasoning({ text, mode }: ReasoningProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="text-sm text-ink-2">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="flex items-center gap-1.5 rounded-sm text-xs text-ink-3 hover:text-ink"
      >
        <ChevronRight
          aria-hidden
          size={12}
          className={classNames('transition-transform', isOpen && 'rotate-90')}
        />
        <Brain aria-hidden size={12} />
        Reasoning ({exactNumber(text.length)} characters)
      </button>
      {isOpen && (
        <div className="mt-1 border-l border-line pl-3">
          <LongText text={text} mode={mode} />
        </div>
      )}
    </div>
  )
}

interface CallProps {
  readonly call: ToolCall
  readonly result: ToolResult | undefined
  readonly mode: ReadingMode
}

/** Arguments on the left, the result on the right; stacked if it is narrow. */
function Call({ call, result, mode }: CallProps) {
  return (
    <section
      aria-label={`Call of ${call.name}`}
      className="@container min-w-0 overflow-hidden rounded border border-line"
    >
      <header className="flex h-8 items-center gap-2 border-b border-line bg-sunken px-3 text-sm">
        <Wrench aria-hidden size={14} className="shrink-0 text-type-tool" />
        <span dir="auto" className="min-w-0 flex-1 truncate font-mono text-xs font-medium">
          {call.name}
        </span>
        <CopyButton text={() => textOf(call.args)} label="Copy arguments" />
      </header>
      <div className="grid grid-cols-1 divide-line max-@md:divide-y @md:grid-cols-2 @md:divide-x">
        <div className="min-w-0 p-3">
          <Json value={call.args} label={`Arguments of ${call.name}`} mode={mode} />
        </div>
        <div className={classNames('min-w-0 p-3', result?.isError === true && 'bg-bad-surface')}>
          {result === undefined ? (
            <p className="text-xs text-ink-3">No result in these messages.</p>
          ) : (
            <Json value={result.result} label={`Result of ${call.name}`} mode={mode} />
          )}
        </div>
      </div>
    </section>
  )
}

interface ResultProps {
  readonly result: ToolResult
  readonly mode: ReadingMode
}

/** A result without its call. */
function Result({ result, mode }: ResultProps) {
  return (
    <section
      aria-label={`Result of ${result.name ?? 'a tool'}`}
      className={classNames(
        'min-w-0 overflow-hidden rounded border border-line',
        result.isError && 'border-bad bg-bad-surface',
      )}
    >
      <header className="flex h-8 items-center gap-2 border-b border-line bg-sunken px-3 font-mono text-xs text-ink-2">
        <CornerDownRight aria-hidden size={14} className="shrink-0" />
        <span className="min-w-0 truncate">{result.name ?? result.id ?? 'Result'}</span>
      </header>
      <div className="p-3">
        <Json value={result.result} label="Result of a tool" mode={mode} />
      </div>
    </section>
  )
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '')

interface JsonProps {
  readonly value: unknown
  readonly label: string
  readonly mode: ReadingMode
}

function Json({ value, label, mode }: JsonProps) {
  if (value === null || value === undefined || value === '')
    return <p className="text-xs text-ink-3">Empty.</p>
  if (typeof value === 'object' && mode !== 'raw')
    return <JsonTree value={value} label={label} openDepth={3} maxHeightPx={320} hasSearch={false} />
  return <LongText text={textOf(value)} mode="raw" isCode />
}

/** Shows an embedded image; a remote one is a link, since loading it would reveal the reader to its host. */
function Image({ address }: { readonly address: string }) {
  const image = safeImage(address)
  if (image !== undefined)
    return (
      <img
        src={image}
        alt="Part of the message"
        className="max-h-96 max-w-full self-start rounded border border-line"
      />
    )
  const link = safeLink(address)
  return (
    <p className="min-w-0 text-sm text-ink-2">
      {link === undefined ? (
        <span className="block truncate" title={address.slice(0, 300)}>
          Image not shown: {address.slice(0, 60)} ({formatBytes(address.length)})
        </span>
      ) : (
        <a
          href={link}
          target="_blank"
          rel="noopener noreferrer nofollow"
          className="block truncate text-accent-ink underline"
        >
          Image: {link}
        </a>
      )}
    </p>
  )
}
