import type { AnnotationItem } from '@plumbline/sdk'
import { Badge, type Tone } from '../ui/badge.tsx'

type Turn = AnnotationItem['turns'][number]

const tones: Readonly<Record<Turn['status'], Tone>> = { judged: 'good', held: 'info', skipped: 'neutral' }
const words: Readonly<Record<Turn['status'], string>> = {
  judged: 'done',
  held: 'in progress',
  skipped: 'skipped',
}

/** Who has scored an item, who is working on it and who has skipped it. */
export function WhoHasIt({ turns }: { readonly turns: AnnotationItem['turns'] }) {
  if (turns.length === 0) return <span className="text-ink-3">nobody yet</span>
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-1 overflow-hidden">
      {turns.map(({ annotator, status }) => {
        const name = annotator.isYou ? 'You' : annotator.name
        return (
          <Badge
            key={annotator.id}
            tone={tones[status]}
            title={
              annotator.isYou
                ? words[status].replace(/^has/, 'You have').replace(/^is/, 'You are')
                : `${name} ${words[status]}`
            }
          >
            {name}
            {status !== 'judged' && (
              <span className="font-normal">{status === 'held' ? 'in progress' : 'skipped'}</span>
            )}
          </Badge>
        )
      })}
    </span>
  )
}
