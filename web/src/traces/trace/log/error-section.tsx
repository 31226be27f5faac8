import { CircleAlert } from 'lucide-react'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { LongText } from '../../messages/long-text.tsx'
import { errorOf } from '../tree/trace-tree.ts'

/** The recorded error. */
export function ErrorSection({ error }: { readonly error: unknown }) {
  if (errorOf({ metadata: { error } }) === undefined) return null
  const text = textOf(error)
  return (
    <section aria-label="Error" className="flex gap-3 border-b border-line bg-bad-surface px-4 py-3">
      <CircleAlert aria-hidden size={16} className="mt-0.5 shrink-0 text-bad" />
      <div className="min-w-0 flex-1 text-bad">
        <LongText text={text} mode="raw" isCode />
      </div>
      <CopyButton text={text} label="Copy error" />
    </section>
  )
}

/** A bare message is shown as text; anything else is shown as sent. */
function textOf(error: unknown): string {
  if (typeof error === 'string') return error
  if (error === true) return 'The log failed without an error message.'
  return JSON.stringify(error, null, 2)
}
