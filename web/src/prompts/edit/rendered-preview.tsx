import { useMemo } from 'react'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { type Texts, textOfRendered } from './prompt-messages.ts'
import { useWithParts } from './use-parts.ts'
import { useTemplateLibrary } from './use-template-library.ts'

interface RenderedPreviewProps {
  readonly texts: Texts
  readonly values: Readonly<Record<string, unknown>>
}

/** The messages that the service would render with these values, or the error. */
export function RenderedPreview({ texts, values }: RenderedPreviewProps) {
  const library = useTemplateLibrary()
  const { text, systemText, messages } = useWithParts(texts)
  const rendered = useMemo(() => {
    if (library === undefined) return undefined
    try {
      const prompt = { text, systemText, ...(messages && { messages: [...messages] }) }
      return {
        messages: library
          .render(prompt, values)
          .map((message) => ({ role: message.role, content: textOfRendered(message) })),
      }
    } catch (error) {
      return { problem: error instanceof Error ? error.message : String(error) }
    }
  }, [library, text, systemText, messages, values])
  if (rendered === undefined) return <Skeleton className="h-24 w-full" />
  if (rendered.messages === undefined)
    return (
      <p role="alert" className="rounded bg-bad-surface p-3 text-sm text-bad">
        {rendered.problem}
      </p>
    )
  return (
    <div className="flex flex-col gap-3">
      {rendered.messages.map(({ role, content }, position) => (
        <section
          // biome-ignore lint/suspicious/noArrayIndexKey: Messages have no name but their place.
          key={position}
          aria-label={`Rendered ${role} message`}
          className="rounded border border-line"
        >
          <header className="flex h-8 items-center gap-2 border-b border-line bg-sunken pr-1 pl-3">
            <h4 className="flex-1 text-xs font-medium text-ink-2">{titleOf(role)}</h4>
            <CopyButton text={content} label={`Copy the ${role} message`} />
          </header>
          <p
            dir="auto"
            className="max-h-96 overflow-y-auto p-3 text-sm leading-normal break-words whitespace-pre-wrap"
          >
            {content === '' ? <span className="text-ink-3">Empty</span> : content}
          </p>
        </section>
      ))}
    </div>
  )
}

const titleOf = (role: string): string => role.slice(0, 1).toUpperCase() + role.slice(1)
