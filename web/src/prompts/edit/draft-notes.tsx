/** Notices above a draft. */
import type { PromptVersion } from '@plumbline/sdk'
import { Link } from '@tanstack/react-router'

export const TypedElsewhereNote = () => (
  <p role="status" className="text-sm text-warn">
    This draft is also being edited in another tab. Your changes here are kept until you close this tab.
  </p>
)

export const NewerNote = ({ slug, newest }: { readonly slug: string; readonly newest: PromptVersion }) => (
  <p role="status" className="text-sm text-ink-2">
    <Link
      to="/prompts/$slug"
      params={{ slug }}
      search={{ version: newest.version, view: 'changes' }}
      target="_blank"
      className="text-accent-ink hover:underline"
    >
      {newest.version}
    </Link>
    {newest.createdByName !== undefined && <> by {newest.createdByName}</>} is newer than the version you
    started from. Your draft is unchanged.
  </p>
)

/** The service serves the prompt without them, and only returns a warning. */
export const MissingParts = ({ names }: { readonly names: readonly string[] }) =>
  names.length > 0 && (
    <p role="status" className="text-sm text-warn">
      {names.length === 1 ? 'There is no prompt ' : 'There are no prompts '}
      <span className="font-mono">{names.join(', ')}</span>. The service omits{' '}
      {names.length === 1 ? 'this include' : 'these includes'}.
    </p>
  )
