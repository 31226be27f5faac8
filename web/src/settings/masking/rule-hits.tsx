import { Link } from '@tanstack/react-router'
import { Badge } from '../../ui/badge.tsx'
import { classNames } from '../../ui/class-names.ts'
import type { RehearsedRule } from './draft-rule.ts'

/** The rehearsal result of a rule: the number of hits, and the first ones before and after. */
export function RuleHits({ rehearsal: { hits, traces, samples } }: { readonly rehearsal: RehearsedRule }) {
  return (
    <div className="flex flex-col gap-2 border-t border-line pt-3">
      <p className="flex items-center gap-2 text-sm">
        <Badge tone={hits === 0 ? 'neutral' : 'accent'}>
          {hits === 1 ? '1 hit' : `${hits.toLocaleString('en')} hits`}
        </Badge>
        {hits > 0 && <span className="text-ink-2">in {traces === 1 ? '1 trace' : `${traces} traces`}</span>}
      </p>
      {samples.length > 0 && (
        <ul className="flex flex-col gap-2">
          {samples.map(({ traceId, place, before, after }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: A hit may occur twice, and the list never changes.
            <li key={index} className="flex flex-col gap-1 rounded-sm bg-sunken p-2">
              <Link
                to="/traces/$id"
                params={{ id: traceId }}
                className="font-mono text-xs break-all text-ink-2 underline hover:text-ink"
              >
                {place}
              </Link>
              <Fragment label="Before" fragment={before} tone="bg-bad-surface text-bad" />
              <Fragment label="After" fragment={after} tone="bg-good-surface text-good" />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

interface FragmentProps {
  readonly label: string
  readonly fragment: RehearsedRule['samples'][number]['before']
  readonly tone: string
}

function Fragment({ label, fragment: { text, start, end }, tone }: FragmentProps) {
  return (
    <p className="grid grid-cols-[48px_minmax(0,1fr)] gap-2 text-xs">
      <span className="text-ink-2">{label}</span>
      <code className="font-mono break-words whitespace-pre-wrap">
        {text.slice(0, start)}
        <mark className={classNames('rounded-sm', tone)}>{text.slice(start, end)}</mark>
        {text.slice(end)}
      </code>
    </p>
  )
}
