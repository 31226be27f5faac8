import { useMemo, useState } from 'react'
import { FillFromTrace } from './fill-from-trace.tsx'
import type { Texts } from './prompt-messages.ts'
import { RenderedPreview } from './rendered-preview.tsx'
import { useVariables } from './use-variables.ts'
import { readValues, type VariableTexts } from './variable-values.ts'
import { VariablesForm } from './variables-form.tsx'

interface TryPanelProps {
  readonly slug: string
  readonly texts: Texts
  /** Puts the form above the preview, for narrow layouts. */
  readonly isNarrow?: boolean
}

/** Variables, filled in by hand or from a real run, and what the texts render to with them. */
export function TryPanel({ slug, texts, isNarrow = false }: TryPanelProps) {
  const variables = useVariables(texts)
  const [editedTexts, setTyped] = useState<VariableTexts>({})
  const { values } = useMemo(() => readValues(editedTexts, variables), [editedTexts, variables])
  return (
    <div
      className={
        isNarrow
          ? 'flex flex-col gap-6'
          : 'grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)] gap-6 max-lg:grid-cols-1'
      }
    >
      <section aria-label="Variables" className="flex flex-col gap-3">
        <div className="flex h-7 items-center gap-2">
          <h2 className="flex-1 text-sm font-semibold">Variables</h2>
          <FillFromTrace slug={slug} onFill={setTyped} />
        </div>
        <VariablesForm variables={variables} texts={editedTexts} onChange={setTyped} />
      </section>
      <section aria-label="Preview" className="flex flex-col gap-3">
        <h2 className="flex h-7 items-center text-sm font-semibold">What the model receives</h2>
        <RenderedPreview texts={texts} values={values} />
      </section>
    </div>
  )
}
