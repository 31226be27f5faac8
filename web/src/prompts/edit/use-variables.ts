import type { TemplateVariable } from '@plumbline/sdk/render'
import { useMemo } from 'react'
import { useTemplateLibrary } from './use-template-library.ts'

export interface Texts {
  readonly text: string
  readonly systemText: string
}

/** The variables of both texts, the system text's first, each once; updated while typing. */
export function useVariables({ text, systemText }: Texts): readonly TemplateVariable[] {
  const library = useTemplateLibrary()
  return useMemo(() => {
    if (library === undefined) return []
    const byLabel = new Map<string, TemplateVariable>()
    for (const variable of [...library.variablesOf(systemText), ...library.variablesOf(text)]) {
      const previous = byLabel.get(variable.label)
      // A text may only print what the other loops over.
      if (previous === undefined || previous.type === 'string') byLabel.set(variable.label, variable)
    }
    return [...byLabel.values()]
  }, [library, text, systemText])
}
