/**
 * Longer text input, which survives reloads and visits to other screens on this device. If two tabs edit one draft,
 * the device keeps the latest text, and each tab its own.
 */
import { useEffect, useRef, useState } from 'react'
import { forget, onStoredElsewhere, readRemembered, remember } from './remembered.ts'
import { forgetInTab, keepInTab, readInTab } from './tab-storage.ts'

export interface Draft<Value> {
  readonly value: Value
  readonly change: (value: Value) => void
  /** Whether the value was typed before this visit. */
  readonly isRestored: boolean
  /** Whether another tab has typed into this draft meanwhile. */
  readonly isTypedElsewhere: boolean
  /** Discards the draft; call it after saving, too. */
  readonly discard: () => void
}

type IsValue<Value> = (value: unknown) => value is Value

/** The stored draft: of this tab, else of this device. */
export function readDraft<Value>(name: string, isValue: IsValue<Value>): Value | undefined {
  const texts = [readInTab(draftName(name)), readRemembered(draftName(name))]
  return texts.map(parse).find(isValue)
}

/** A draft by key. `isValue` rejects values stored by an older release. */
export function useDraft<Value>(name: string, initial: Value, isValue: IsValue<Value>): Draft<Value> {
  const key = draftName(name)
  /** This tab's draft. It must not delete another tab's draft from the device. */
  const ownText = useRef(readInTab(key) ?? readRemembered(key))
  const [state, setState] = useState(() => {
    const draft = readDraft(name, isValue)
    const storedText = readRemembered(key)
    const isTypedElsewhere = storedText !== null && storedText !== ownText.current
    return { value: draft ?? initial, isRestored: draft !== undefined, isTypedElsewhere }
  })
  const { value } = state
  const isInitial = isEqual(value, initial)
  useEffect(
    () =>
      onStoredElsewhere(key, (text) => {
        if (isInitial) return
        const typedText = readInTab(key)
        // The other tab has finished with the draft; this one has not.
        if (text === null && typedText !== undefined) remember(key, typedText)
        setState((previous) => ({ ...previous, isTypedElsewhere: text !== null }))
      }),
    [key, isInitial],
  )
  const forgetOwn = (): void => {
    forgetInTab(key)
    if (readRemembered(key) === ownText.current) forget(key)
  }
  return {
    ...state,
    change: (next) => {
      setState((previous) => ({ ...previous, value: next }))
      if (isEqual(next, initial)) return forgetOwn()
      ownText.current = keepDraft(name, next)
    },
    discard: () => {
      forgetOwn()
      setState({ value: initial, isRestored: false, isTypedElsewhere: false })
    },
  }
}

/** Keeps a draft in this tab and on this device; returns its text. */
export function keepDraft(name: string, value: unknown): string {
  // A number field with invalid text is NaN, which JSON would store as null, and the form read as 0.
  const text = JSON.stringify(value, (_key, field: unknown) => (Number.isNaN(field) ? undefined : field))
  keepInTab(draftName(name), text)
  remember(draftName(name), text)
  return text
}

export function forgetDraft(name: string): void {
  forgetInTab(draftName(name))
  forget(draftName(name))
}

const isEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

const draftName = (name: string): string => `draft.${name}`

function parse(text: string | null | undefined): unknown {
  try {
    return text == null ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}
