/** The completions of the typed text: fields, keys and values, with their trace counts. */
import { metadataPrefix } from '@plumbline/sdk/trace-fields'
import { useEffect, useMemo, useState } from 'react'
import { useRead } from '../../app/api.ts'
import {
  type Completing,
  completingAt,
  fieldOptions,
  keyOptions,
  type Option,
  valueOptions,
} from './completion.ts'
import { statedField, statedName } from './filter-fields.ts'
import { filterInput } from './filter-input.ts'
import { readFilter } from './filter-text.ts'

/** The time range of the counted traces. */
export interface Scope {
  readonly from: string
  readonly to?: string
}

const debounceMs = 120
const optionsMax = 12

export function useCompletion(
  text: string,
  caret: number,
  scope: Scope,
  isActive: boolean,
): { readonly activeCompletion: Completing | undefined; readonly options: readonly Option[] } {
  const activeCompletion = useMemo(() => completingAt(text, caret), [text, caret])
  const question = useMemo(() => questionOf(activeCompletion), [activeCompletion])
  const settled = useSettled(question)
  const counted = useRead(
    'traces.facets',
    {
      ...filterInput(readFilter(settled?.rest ?? '')),
      ...scope,
      fields: settled?.field ?? '',
      ...(settled?.prefix && { prefix: settled.prefix }),
      limit: optionsMax,
    },
    { enabled: isActive && settled !== undefined },
  ).data?.facets[0]
  const options = useMemo(() => {
    if (activeCompletion === undefined) return []
    if (activeCompletion.kind === 'field') return fieldOptions(activeCompletion.prefix)
    // The previous response stays while the next one loads; it is ignored for another field.
    if (counted === undefined || counted.field !== question?.field) return []
    const prefix = activeCompletion.prefix.toLowerCase()
    const values = counted.values.filter(
      ({ value, label }) => value.toLowerCase().startsWith(prefix) || label?.toLowerCase().includes(prefix),
    )
    return activeCompletion.kind === 'key'
      ? keyOptions(activeCompletion.source, values)
      : valueOptions(values)
  }, [activeCompletion, counted, question])
  return { activeCompletion, options }
}

interface Question {
  readonly field: string
  readonly prefix: string
  readonly rest: string
}

function questionOf(completion: Completing | undefined): Question | undefined {
  if (completion === undefined || completion.kind === 'field') return undefined
  if (completion.kind === 'key') return { field: completion.source, prefix: completion.prefix, rest: '' }
  // The service counts the values of some fields, but not of scores.
  const isCounted =
    completion.field.startsWith(metadataPrefix) || statedField(completion.field)?.facet !== undefined
  return isCounted ? { ...completion, field: statedName(completion.field) } : undefined
}

/** The debounced query. */
function useSettled(question: Question | undefined): Question | undefined {
  const [settled, setSettled] = useState(question)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(question), debounceMs)
    return () => clearTimeout(timer)
  }, [question])
  return settled
}
