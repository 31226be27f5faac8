/** The widths and pinned columns of a table, stored on this device under the table's name. */
import { useMemo } from 'react'
import { useRemembered } from '../storage/remembered.ts'
import { type ColumnLayout, readLayout } from './columns.ts'

const columnWidthMinPx = 56
const columnWidthMaxPx = 1200

export interface ColumnLayoutControl extends ColumnLayout {
  /** Undefined for the default width. */
  readonly resize: (id: string, widthPx: number | undefined) => void
  readonly togglePin: (id: string) => void
  readonly reset: () => void
}

export function useColumnLayout(name: string): ColumnLayoutControl {
  const [text, setText] = useRemembered(`table.${name}`, '')
  return useMemo(() => {
    const layout = readLayout(text)
    const save = (patch: Partial<ColumnLayout>): void => setText(JSON.stringify({ ...layout, ...patch }))
    return {
      ...layout,
      resize: (id, widthPx) => {
        const { [id]: _before, ...others } = layout.widths
        if (widthPx === undefined) return save({ widths: others })
        const width = Math.round(Math.min(columnWidthMaxPx, Math.max(columnWidthMinPx, widthPx)))
        save({ widths: { ...others, [id]: width } })
      },
      togglePin: (id) => {
        const isPinned = layout.pinned.includes(id)
        save({ pinned: isPinned ? layout.pinned.filter((other) => other !== id) : [...layout.pinned, id] })
      },
      reset: () => setText(''),
    }
  }, [text, setText])
}
