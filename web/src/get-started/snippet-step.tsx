import { CopyButton } from '../ui/copy-button.tsx'
import { Tabs } from '../ui/tabs.tsx'
import type { SnippetId } from './snippet-ids.ts'
import type { Block, Snippet } from './snippets.ts'

interface SnippetStepProps {
  readonly snippets: readonly Snippet[]
  readonly snippetId: SnippetId
  readonly onChoose: (id: SnippetId) => void
  /** Highlighted in the code. */
  readonly secret: string
}

/** The snippets to paste, by integration. */
export function SnippetStep({ snippets, snippetId, onChoose, secret }: SnippetStepProps) {
  const snippet = snippets.find(({ id }) => id === snippetId) ?? snippets[0]
  if (snippet === undefined) return null
  return (
    <div className="overflow-hidden rounded border border-line">
      <Tabs
        label="How to send traces"
        wraps
        tabs={snippets.map(({ id, label }) => ({ value: id, label }))}
        value={snippet.id}
        onChange={onChoose}
      >
        <div className="flex flex-col gap-3 p-4">
          <p className="text-sm text-ink-2">{snippet.hint}</p>
          {snippet.blocks.map((block) => (
            <CodeBlock key={block.title} {...block} secret={secret} />
          ))}
        </div>
      </Tabs>
    </div>
  )
}

function CodeBlock({ title, code, secret }: Block & { readonly secret: string }) {
  return (
    <figure className="overflow-hidden rounded border border-line bg-sunken">
      <figcaption className="flex h-8 items-center border-b border-line pr-1 pl-3 text-xs text-ink-2">
        <span className="min-w-0 flex-1 truncate">{title}</span>
        <CopyButton text={code} label={`Copy: ${title}`} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: Long lines are scrolled to by keyboard. */}
      <pre tabIndex={0} className="overflow-x-auto p-3 font-mono text-xs leading-relaxed">
        <Marked text={code} word={secret} />
      </pre>
    </figure>
  )
}

/** A text with one highlighted word. */
function Marked({ text, word }: { readonly text: string; readonly word: string }) {
  if (word === '') return text
  const [first = '', ...rest] = text.split(word)
  return (
    <>
      {first}
      {rest.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: The parts of a text are identified by position only.
        <span key={index}>
          <mark className="rounded-sm bg-selected text-accent-ink">{word}</mark>
          {part}
        </span>
      ))}
    </>
  )
}
