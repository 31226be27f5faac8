import type { TemplateVariable } from '@plumbline/sdk/render'
import { CodeEditor } from '../ui/code-editor.tsx'
import { useCompletion } from './complete-variables.ts'
import type { Texts } from './use-variables.ts'

interface TemplateFieldsProps {
  readonly texts: Texts
  readonly onChange: (changed: Partial<Texts>) => void
  readonly variables: readonly TemplateVariable[]
  /** Lower editors, where they stand beside other things. */
  readonly isDense?: boolean
}

/** The two texts of a prompt, as Jinja. */
export function TemplateFields({ texts, onChange, variables, isDense = false }: TemplateFieldsProps) {
  const complete = useCompletion(variables)
  return (
    <>
      <div className="flex flex-col gap-1">
        <h3 className="text-sm font-medium">System text</h3>
        <CodeEditor
          label="System text"
          language="jinja"
          placeholder="Who the model is, and what holds always. May be empty."
          value={texts.systemText}
          onChange={(systemText) => onChange({ systemText })}
          complete={complete}
          minHeightPx={isDense ? 72 : 120}
          maxHeightPx={isDense ? 240 : 400}
        />
      </div>
      <div className="flex flex-col gap-1">
        <h3 className="text-sm font-medium">Text</h3>
        <CodeEditor
          label="Text"
          language="jinja"
          placeholder={'What is asked, with {{ variables }}.'}
          value={texts.text}
          onChange={(text) => onChange({ text })}
          complete={complete}
          minHeightPx={isDense ? 96 : 280}
          maxHeightPx={isDense ? 320 : 900}
        />
      </div>
    </>
  )
}
