/** Text that someone types for long: it outlives a reload and a visit to another screen, on this device. */
import { useEffect, useState } from 'react'
import { forget, readRemembered, remember } from './remembered.ts'

export interface Draft<Value> {
  readonly value: Value
  readonly change: (value: Value) => void
  /** Whether the value was typed before this visit. */
  readonly isRestored: boolean
  /** Drops what was typed; call it too once it is saved. */
  readonly discard: () => void
}

/** A draft by the name of what it changes. `isValue` refuses what an older release has stored. */
export function useDraft<Value>(
  name: string,
  initial: Value,
  isValue: (stored: unknown) => stored is Value,
): Draft<Value> {
  const [state, setState] = useState(() => {
    const draft = parse(readRemembered(draftName(name)))
    return isValue(draft) ? { value: draft, isRestored: true } : { value: initial, isRestored: false }
  })
  const { value } = state
  useEffect(() => {
    if (JSON.stringify(value) === JSON.stringify(initial)) forget(draftName(name))
    else remember(draftName(name), JSON.stringify(value))
  }, [name, value, initial])
  return {
    ...state,
    change: (next) => setState((previous) => ({ ...previous, value: next })),
    discard: () => {
      forget(draftName(name))
      setState({ value: initial, isRestored: false })
    },
  }
}

const draftName = (name: string): string => `draft.${name}`

function parse(text: string | null): unknown {
  try {
    return text === null ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}
