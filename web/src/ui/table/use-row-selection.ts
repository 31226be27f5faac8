import { useRef } from 'react'
import { idsBetween } from './columns.ts'

export interface Selection {
  readonly ids: ReadonlySet<string>
  readonly onChange: (ids: ReadonlySet<string>) => void
}

/** Selects rows by their ids: one, or with shift all from the last one. Does nothing without a selection. */
export function useRowSelection(ids: readonly string[], selection: Selection | undefined) {
  const anchor = useRef<string>(undefined)
  const toggle = (id: string, isRange: boolean): void => {
    if (selection === undefined) return
    const next = new Set(selection.ids)
    const isOn = !next.has(id)
    const range = isRange && anchor.current !== undefined ? idsBetween(ids, anchor.current, id) : [id]
    for (const rangeId of range) isOn ? next.add(rangeId) : next.delete(rangeId)
    anchor.current = id
    selection.onChange(next)
  }
  const isAll = ids.length > 0 && ids.every((id) => selection?.ids.has(id) === true)
  return {
    toggle,
    isAll,
    isSome: selection !== undefined && selection.ids.size > 0 && !isAll,
    toggleAll: (isOn: boolean): void => selection?.onChange(new Set(isOn ? ids : [])),
  }
}
