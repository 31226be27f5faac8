import type { TemplateVariable } from '@plumbline/sdk/render'
import { CodeEditor } from '../../ui/text/code-editor.tsx'
import { useCompletion } from './complete-variables.ts'
import { type TemplateLibrary, useTemplateLibrary } from './use-template-library.ts'
import type { Texts } from './use-variables.ts'

interface TemplateFieldsProps {
  readonly texts: Texts
  readonly onChange: (change: Partial<Texts>) => void
  readonly variables: readonly TemplateVariable[]
  /** Lower editors, where they stand beside other things. */
  readonly isDense?: boolean
}

/** The two texts of a prompt, as Jinja. */
export function TemplateFields({ texts, onChange, variables, isDense = false }: TemplateFieldsProps) {
  const complete = useCompletion(variables)
  const library = useTemplateLibrary()
  const problemOf = (text: string): string | undefined => library && readProblem(library, text)
  return (
    <>
      <div className="flex flex-col gap-1">
        <h3 className="text-sm font-medium">System text</h3>
        <CodeEditor
          label="System text"
          language="jinja"
          placeholder="Optional. The model’s role and standing instructions."
          value={texts.systemText}
          onChange={(systemText) => onChange({ systemText })}
          complete={complete}
          minHeightPx={isDense ? 72 : 120}
          maxHeightPx={isDense ? 240 : 400}
        />
        <Problem text={problemOf(texts.systemText)} />
      </div>
      <div className="flex flex-col gap-1">
        <h3 className="text-sm font-medium">Text</h3>
        <CodeEditor
          label="Text"
          language="jinja"
          placeholder={'The prompt, with {{ variables }}.'}
          value={texts.text}
          onChange={(text) => onChange({ text })}
          complete={complete}
          minHeightPx={isDense ? 96 : 280}
          maxHeightPx={isDense ? 320 : 900}
        />
        <Problem text={problemOf(texts.text)} />
      </div>
    </>
  )
}

/** Why a text is no template. What only fails with some values is no fault of the text. */
function readProblem({ render }: TemplateLibrary, text: string): string | undefined {
  try {
    render({ text, systemText: '' }, {})
  } catch (error) {
    const message = error instanceof Error ? error.message : ''
    if (message.startsWith('The template cannot be read')) return message
  }
  return undefined
}

const Problem = ({ text }: { readonly text: string | undefined }) =>
  text === undefined ? null : (
    <p role="status" className="text-xs text-bad">
      {text}
    </p>
  )
