/** The text cells of the trace list: contents, errors and scores. */
import type { TraceSummary } from '@plumbline/sdk'
import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Badge, type Tone } from '../../../ui/badge.tsx'
import { formatScore } from '../../../ui/text/format.ts'
import { MarkedText } from '../../../ui/text/marked-text.tsx'
import { Nothing, RelativeTime } from '../../../ui/text/values.tsx'
import { addressOf } from '../../trace/trace-address.ts'
import { previewText } from './preview-text.ts'
import type { ShownScore } from './score-texts.ts'

/** Display options of the rows. */
export interface RowLook {
  /** Two lines in a row; one in the compact density. */
  readonly hasTwoLines: boolean
  /** Beside an open trace and on a phone, a digest of the row is shown below the name. */
  readonly isNarrow: boolean
  /** The search words, to highlight them. */
  readonly words: readonly string[]
}

const clamp = ({ hasTwoLines }: RowLook): string =>
  hasTwoLines ? 'line-clamp-2 whitespace-normal break-words leading-[1.35]' : 'block truncate'

export const Preview = ({ json, look }: { readonly json: string | null; readonly look: RowLook }) => {
  const text = previewText(json)
  if (text === '') return <Nothing />
  return (
    <span dir="auto" className={`text-ink-2 ${clamp(look)}`}>
      <MarkedText text={text} words={look.words} />
    </span>
  )
}

/** The output, or the error of a failed trace. */
export function OutputCell({ trace, look }: { readonly trace: TraceSummary; readonly look: RowLook }) {
  if (trace.error === null) return <Preview json={trace.outputPreview} look={look} />
  return (
    <span dir="auto" title={trace.error} className={`text-bad ${clamp(look)}`}>
      <MarkedText text={trace.error} words={look.words} />
    </span>
  )
}

/** A link, so that it can be opened in another tab; a plain click is handled by the row. */
export function NameCell({ trace, look }: { readonly trace: TraceSummary; readonly look: RowLook }) {
  const { id, name, totals, warning } = trace
  return (
    <span className="flex min-w-0 flex-col justify-center">
      <span className="flex min-w-0 items-center gap-1.5">
        {totals.errors > 0 && (
          <CircleAlert
            role="img"
            aria-label={`${totals.errors} failed`}
            size={14}
            className="shrink-0 text-bad"
          />
        )}
        <a
          href={addressOf(id)}
          tabIndex={-1}
          dir="auto"
          title={warning === null ? name : `${name}\n${warning}`}
          onClick={(event) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey) event.stopPropagation()
            else event.preventDefault()
          }}
          className="truncate font-medium"
        >
          <MarkedText text={name} words={look.words} />
        </a>
      </span>
      {look.hasTwoLines && (
        <span className="flex min-w-0 items-center gap-1.5 text-xs text-ink-3">
          {look.isNarrow ? <Digest trace={trace} /> : <Belonging trace={trace} />}
        </span>
      )}
    </span>
  )
}

/** The time and the contents, or the error. */
function Digest({ trace }: { readonly trace: TraceSummary }): ReactNode {
  return (
    <>
      <span className="shrink-0">
        <RelativeTime time={trace.startTime} />
      </span>
      <span dir="auto" className={`truncate ${trace.error === null ? '' : 'text-bad'}`}>
        {trace.error ?? previewText(trace.inputPreview)}
      </span>
    </>
  )
}

const tagsMax = 2

/** The user of the trace, and its tags. */
function Belonging({ trace: { user, featureSlug, tags } }: { readonly trace: TraceSummary }): ReactNode {
  const owner = user === null ? featureSlug : user.name || user.id
  return (
    <>
      {owner !== null && (
        <span dir="auto" title={owner} className="truncate">
          {owner}
        </span>
      )}
      {(tags ?? []).slice(0, tagsMax).map((tag) => (
        <span key={tag} className="max-w-24 shrink-0 truncate rounded-sm bg-hover px-1 text-2xs text-ink-2">
          {tag}
        </span>
      ))}
      {(tags?.length ?? 0) > tagsMax && (
        <span title={tags?.join(', ')}>+{(tags?.length ?? 0) - tagsMax}</span>
      )}
    </>
  )
}

const scoresMax = 2

const toneOf = (value: boolean | number | string): Tone =>
  typeof value === 'boolean' ? (value ? 'good' : 'bad') : 'neutral'

export const scoreText = (value: boolean | number | string): string =>
  typeof value === 'boolean' ? (value ? 'yes' : 'no') : typeof value === 'number' ? formatScore(value) : value

/** The latest score of each name. */
export function ScoresCell({
  scores,
  look,
}: {
  readonly scores: readonly ShownScore[]
  readonly look: RowLook
}) {
  if (scores.length === 0) return <Nothing />
  const title = scores.map(({ latest: { name, value, comment } }) =>
    [`${name}: ${scoreText(value)}`, comment].filter(Boolean).join(' – '),
  )
  const visible = scores.slice(0, look.hasTwoLines ? scoresMax : 1)
  return (
    <span title={title.join('\n')} className="flex min-w-0 flex-col items-start gap-0.5">
      {visible.map(({ latest: { name, value } }, index) => (
        // The count of further scores stays visible: the name is truncated first.
        <span key={name} className="flex max-w-full items-center gap-1 *:first:shrink">
          <Badge tone={toneOf(value)}>
            <span dir="auto" className="truncate font-normal">
              {name}
            </span>
            <span dir="auto" className="max-w-16 shrink-0 truncate">
              {scoreText(value)}
            </span>
          </Badge>
          {index === visible.length - 1 && scores.length > visible.length && (
            <span className="shrink-0 text-2xs text-ink-3">+{scores.length - visible.length}</span>
          )}
        </span>
      ))}
    </span>
  )
}
