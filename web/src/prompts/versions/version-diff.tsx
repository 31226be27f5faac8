import type { Model, ModelInput, PromptVersion } from '@plumbline/sdk'
import { DiffView } from '../../ui/text/diff-view.tsx'
import { modelText } from '../edit/model-draft.ts'
import { messagesOf, type Texts, textOfMessages } from '../edit/prompt-messages.ts'

/** The content of a stored version or of a draft. */
export interface VersionTexts extends Texts {
  readonly model: Model | ModelInput
  readonly config?: PromptVersion['config'] | undefined
}

interface VersionDiffProps {
  /** Undefined if there is no previous version: everything is new. */
  readonly before: VersionTexts | undefined
  readonly after: VersionTexts
}

const modelPart = { title: 'Model', textOf: ({ model }: VersionTexts) => modelText(model) }
const textParts = [
  { title: 'System text', textOf: ({ systemText }: VersionTexts) => systemText },
  { title: 'Text', textOf: ({ text }: VersionTexts) => text },
  modelPart,
]
const messageParts = [
  {
    title: 'Messages',
    textOf: (texts: VersionTexts) =>
      isEmpty(texts) ? '' : textOfMessages(texts.messages ?? messagesOf(texts)),
  },
  modelPart,
]

const configPart = {
  title: 'Application settings',
  textOf: ({ config = {} }: VersionTexts) =>
    Object.keys(config).length === 0 ? '' : JSON.stringify(config, null, 2),
}

const isEmpty = ({ text, systemText, messages }: Texts): boolean =>
  messages === undefined && text === '' && systemText === ''

/** Texts are compared as messages if either version consists of messages, and settings if either has any. */
const partsOf = (...versions: readonly (VersionTexts | undefined)[]) => [
  ...(versions.some((version) => version?.messages !== undefined) ? messageParts : textParts),
  ...(versions.some((version) => version?.config !== undefined) ? [configPart] : []),
]

/** Whether two versions have the same content. */
export const hasSameText = (a: VersionTexts, b: VersionTexts): boolean =>
  (a.messages === undefined) === (b.messages === undefined) &&
  partsOf(a, b).every(({ textOf }) => textOf(a) === textOf(b))

/**
 * The changes between two versions: texts or messages, the model and the settings, each by lines. Unchanged parts are
 * only named.
 */
export function VersionDiff({ before, after }: VersionDiffProps) {
  const parts = partsOf(before, after)
  const comparisons = parts.map(({ title, textOf }) => ({
    title,
    old: before === undefined ? '' : textOf(before),
    young: textOf(after),
  }))
  const same = comparisons.filter(({ old, young: newText }) => old === newText).map(({ title }) => title)
  return (
    <div className="flex flex-col gap-4">
      {comparisons.map(
        ({ title, old, young: newText }) =>
          old !== newText && (
            <section
              key={title}
              aria-label={`Changes of ${title.toLowerCase()}`}
              className="flex flex-col gap-1"
            >
              <h3 className="text-sm font-medium">{title}</h3>
              <DiffView before={old} after={newText} label={title} />
            </section>
          ),
      )}
      {same.length > 0 && (
        <p className="text-sm text-ink-3">
          {same.length === parts.length ? 'Nothing changed.' : `Unchanged: ${same.join(', ').toLowerCase()}.`}
        </p>
      )}
    </div>
  )
}
