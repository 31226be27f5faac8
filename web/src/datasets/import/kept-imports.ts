/**
 * Imports that survive a new sign-in, which leaves the screen: they resume afterwards. Only in memory, like the file.
 */
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'

/** By user and dataset, then by the name of the value. */
const keptImports = new Map<string, Map<string, unknown>>()

export const placeOfImport = (ownPlace: string, slug: string): string => `${ownPlace}/${slug}`

export const isImportKept = (place: string): boolean => keptImports.has(place)

/** Starts or resumes an import; `restart` drops its kept values. */
export function useKeptImport(place: string): { readonly end: () => void; readonly restart: () => void } {
  const queries = useQueryClient()
  useEffect(() => {
    if (!keptImports.has(place)) keptImports.set(place, new Map())
    return () => {
      const isSignedIn = queries.getQueryData(['session.get', {}]) !== undefined
      if (isSignedIn) keptImports.delete(place)
    }
  }, [place, queries])
  return {
    end: () => void keptImports.delete(place),
    restart: () => void keptImports.set(place, new Map()),
  }
}

/** State that is kept with the import, even if it changes after the screen was left. */
export function useKeptState<Value>(
  place: string,
  name: string,
  initial: () => Value,
): [Value, (value: Value) => void] {
  const [value, setValue] = useState(() => {
    const states = keptImports.get(place)
    // Safe: the name has a value of this type.
    if (states?.has(name) === true) return states.get(name) as Value
    const first = initial()
    states?.set(name, first)
    return first
  })
  const change = useCallback(
    (next: Value) => {
      keptImports.get(place)?.set(name, next)
      setValue(() => next)
    },
    [place, name],
  )
  return [value, change]
}
