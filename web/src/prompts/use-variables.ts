import type { TemplateVariable } from '@plumbline/sdk/render'
import { useMemo } from 'react'
import { useTemplateLibrary } from './use-template-library.ts'

export interface Texts {
  readonly text: string
  readonly systemText: string
}

/** The variables of both texts, the system text's first, each once; as one types. */
export function useVariables({ text, systemText }: Texts): readonly TemplateVariable[] {
  const library = useTemplateLibrary()
  return useMemo(() => {
    if (library === undefined) return []
    const found = new Map<string, TemplateVariable>()
    for (const variable of [...library.variablesOf(systemText), ...library.variablesOf(text)]) {
      const known = found.get(variable.label)
      // A text may only print what the other loops over.
      if (known === undefined || known.type === 'string') found.set(variable.label, variable)
    }
    return [...found.values()]
  }, [library, text, systemText])
}
