/** Markdown whose formatter is loaded on first use: the text is readable before. */
import { lazy, Suspense } from 'react'

const Markdown = lazy(async () => ({ default: (await import('./markdown.tsx')).Markdown }))

export const FormattedText = ({ text }: { readonly text: string }) => (
  <Suspense fallback={<div className="break-words whitespace-pre-wrap">{text}</div>}>
    <Markdown text={text} />
  </Suspense>
)
