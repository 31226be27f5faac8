import { lazy, type ReactNode, Suspense, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Field, Textarea } from '../../ui/form/field.tsx'

const Markdown = lazy(async () => ({ default: (await import('../../ui/text/markdown.tsx')).Markdown }))

interface RubricFieldProps {
  readonly label: string
  readonly hint: ReactNode
  readonly problem: string | undefined
  readonly text: string
  readonly onChange: (text: string) => void
}

/** A Markdown field with a preview. */
export function RubricField({ label, hint, problem, text, onChange }: RubricFieldProps) {
  const [isSeen, setSeen] = useState(false)
  return (
    <div className="flex flex-col gap-1">
      {isSeen ? (
        <section aria-label={label} className="flex flex-col gap-1">
          <p className="text-sm font-medium">{label}</p>
          <div className="min-h-32 rounded border border-line bg-sunken p-3">
            <Suspense>
              <Markdown text={text} />
            </Suspense>
          </div>
        </section>
      ) : (
        <Field label={label} hint={hint} problem={problem}>
          <Textarea
            rows={8}
            dir="auto"
            value={text}
            onChange={(event) => onChange(event.currentTarget.value)}
          />
        </Field>
      )}
      {text.trim() !== '' && (
        <span>
          <Button size="small" look="quiet" aria-pressed={isSeen} onClick={() => setSeen(!isSeen)}>
            {isSeen ? 'Write' : 'Preview'}
          </Button>
        </span>
      )}
    </div>
  )
}
