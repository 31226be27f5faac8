import type { TemplateVariable } from '@plumbline/sdk/render'
import { Button } from '../../ui/button.tsx'
import { CodeEditor } from '../../ui/text/code-editor.tsx'
import { useCompletion } from './complete-variables.ts'
import { messagesOf, type Texts, textsOf } from './prompt-messages.ts'
import { PromptMessagesEditor } from './prompt-messages-editor.tsx'
import { type TemplateLibrary, useTemplateLibrary } from './use-template-library.ts'

interface TemplateFieldsProps {
  readonly texts: Texts
  readonly onChange: (change: Partial<Texts>) => void
  readonly variables: readonly TemplateVariable[]
  /** Uses lower editors, for narrow layouts. */
  readonly isDense?: boolean
}

/** The two texts of a prompt, or its messages, as Jinja. */
export function TemplateFields({ texts, onChange, variables, isDense = false }: TemplateFieldsProps) {
  const complete = useCompletion(variables)
  const library = useTemplateLibrary()
  const problemOf = (text: string): string | undefined => library && readProblem(library, text)
  if (texts.messages !== undefined)
    return (
      <PromptMessagesEditor
        messages={texts.messages}
        onChange={(messages) => onChange({ messages })}
        complete={complete}
        problemOf={(template) => <Problem text={problemOf(template)} />}
      />
    )
  return (
    <>
      <div className="flex flex-col gap-1">
        <h2 className="text-sm font-medium">System text</h2>
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
        <h2 className="text-sm font-medium">Text</h2>
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

interface FormSwitchProps {
  readonly texts: Texts
  readonly onChange: (texts: Texts) => void
}

/** Switches between two texts and messages. Messages that two texts cannot express stay messages. */
export function FormSwitch({ texts, onChange }: FormSwitchProps) {
  const asTexts = texts.messages && textsOf(texts.messages)
  if (texts.messages === undefined)
    return (
      <Button
        size="small"
        onClick={() => onChange({ text: '', systemText: '', messages: messagesOf(texts) })}
      >
        Write as messages
      </Button>
    )
  return (
    <Button
      size="small"
      disabled={asTexts === undefined}
      title={
        asTexts === undefined ? 'Only one system message and one user message fit in two texts.' : undefined
      }
      onClick={() => asTexts && onChange(asTexts)}
    >
      Write as two texts
    </Button>
  )
}

/** Why a text is not a valid template. Errors that depend on values are not reported. */
function readProblem({ render, replaceParts }: TemplateLibrary, text: string): string | undefined {
  try {
    render({ text: replaceParts(text, () => ''), systemText: '' }, {})
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
