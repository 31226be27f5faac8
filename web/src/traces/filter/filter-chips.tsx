import { CircleAlert } from 'lucide-react'
import { Chip } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { withoutPart, withPart } from './change-filter.ts'
import { isClause, readParts } from './filter-text.ts'

interface FilterChipsProps {
  readonly text: string
  readonly onChange: (text: string) => void
}

/** The parts of the filter as removable chips; invalid parts show the problem and a suggestion. */
export function FilterChips({ text, onChange }: FilterChipsProps) {
  const parts = readParts(text)
  if (parts.length === 0) return null
  const problems = parts.flatMap(({ result, start }, index) =>
    isClause(result) ? [] : [{ said: result, start, index }],
  )
  return (
    <>
      <ul aria-label="Filters" className="flex flex-wrap gap-1">
        {parts.map((part, index) => (
          <li key={part.start} className="max-w-full">
            <Chip label={part.text} onRemove={() => onChange(withoutPart(text, index))}>
              {!isClause(part.result) && (
                <CircleAlert aria-hidden size={12} className="mr-1 inline-block text-warn" />
              )}
              <span dir="auto" className="font-mono">
                {part.text}
              </span>
            </Chip>
          </li>
        ))}
      </ul>
      {problems.map(({ said: part, start, index }) => (
        <p key={start} role="alert" className="flex flex-wrap items-center gap-2 text-xs text-warn">
          {part.message}
          {part.suggestion !== undefined && (
            <Button
              size="small"
              onClick={() => onChange(withPart(text, index, part.suggestion ?? ''))}
              className="font-mono"
            >
              {part.suggestion}
            </Button>
          )}
        </p>
      ))}
    </>
  )
}
