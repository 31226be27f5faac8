import type { TemplateVariable } from '@plumbline/sdk/render'
import { useMemo } from 'react'
import { placeholdersOf, type Texts, templatesOf } from './prompt-messages.ts'
import { useWithParts } from './use-parts.ts'
import { useTemplateLibrary } from './use-template-library.ts'

/** The distinct variables of all templates, in order, and those of placeholders; updated while typing. */
export function useVariables(source: Texts): readonly TemplateVariable[] {
  const library = useTemplateLibrary()
  const { text, systemText, messages } = useWithParts(source)
  return useMemo(() => {
    if (library === undefined) return []
    const byLabel = new Map<string, TemplateVariable>()
    const texts = { text, systemText, messages }
    const placeholders = placeholdersOf(texts).map((label) => ({ label, type: 'array' as const }))
    for (const variable of [...templatesOf(texts).flatMap(library.variablesOf), ...placeholders]) {
      const previous = byLabel.get(variable.label)
      // One text may only print a variable that the other loops over.
      if (previous === undefined || previous.type === 'string') byLabel.set(variable.label, variable)
    }
    return [...byLabel.values()]
  }, [library, text, systemText, messages])
}
