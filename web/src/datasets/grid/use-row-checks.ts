import { useRef } from 'react'
import type { Rows } from './use-rows.ts'

type Update = (rowIds: ReadonlySet<string>) => ReadonlySet<string>

/** Selects rows by index, and all of them. Checkboxes appear before their rows are loaded, so a press is not lost. */
export function useRowChecks(reach: Rows['reach'], count: number, onSelect: (update: Update) => void) {
  const anchor = useRef<number>(undefined)
  const toggleRow = async (index: number, isRange: boolean): Promise<void> => {
    const all = await reach(index)
    const row = all[index]
    if (row === undefined) return
    const from = isRange ? (anchor.current ?? index) : index
    const block = all.slice(Math.min(from, index), Math.max(from, index) + 1)
    anchor.current = index
    onSelect((previous) => {
      const next = new Set(previous)
      const isOn = !next.has(row.id)
      for (const { id } of block) isOn ? next.add(id) : next.delete(id)
      return next
    })
  }
  const toggleAll = (isOn: boolean): void => {
    if (!isOn) onSelect(() => new Set())
    else void reach(count).then((all) => onSelect(() => new Set(all.map(({ id }) => id))))
  }
  return { toggleRow, toggleAll }
}
