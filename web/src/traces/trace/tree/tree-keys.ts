/** The shortcuts of a log tree: by row, by depth, by time, and to failed logs. */
import type { KeyboardEvent } from 'react'
import { useShortcuts } from '../../../ui/shortcuts.tsx'
import type { LogNode } from './trace-tree.ts'
import type { TreeRow } from './tree-rows.ts'

/** The target of Enter: the detail of the active log. */
export const detailId = 'log-detail'

interface TreeKeys {
  readonly nodes: readonly LogNode[]
  /** Has no row of its own: the row of the trace represents it. */
  readonly root: LogNode | undefined
  readonly rows: readonly TreeRow[]
  /** Index among the rows, after that of the trace itself. */
  readonly active: number
  /** Goes to a row; 0 is the trace itself. */
  readonly onGo: (index: number) => void
  readonly onActivate: (node: LogNode) => void
  readonly onFold: (node: LogNode, isOpen: boolean) => void
  readonly onSearch: () => void
  /** Returns the focus from the detail. */
  readonly onFocus: () => void
  /**
   * False if the screen's shortcuts belong to another component: the tree then responds only while it has the focus.
   */
  readonly isOnScreen: boolean
}

const pageRows = 20

/**
 * Binds the screen-wide shortcuts, and returns the key handler for the focused tree: elsewhere, the arrows, Home and
 * End scroll text.
 */
export function useTreeKeys(keys: TreeKeys): (event: KeyboardEvent) => void {
  const { nodes, root, rows, active, onGo, onActivate, onFold, onSearch, onFocus, isOnScreen } = keys
  const row = rows[active - 1]
  const childNodes = root === undefined ? nodes : nodes.filter((node) => node !== root)
  const go = (index: number): void => onGo(Math.min(rows.length, Math.max(0, index)))
  const goTo = (node: LogNode | undefined): void => {
    if (node !== undefined) onActivate(node)
  }
  const inward = (): void => {
    if (row?.isOpen === false) onFold(row.node, true)
    else if (row === undefined || row.isOpen === true) go(active + 1)
  }
  const outward = (): void => {
    if (row === undefined) return
    if (row.isOpen === true) onFold(row.node, false)
    else if (row.node.parent === undefined || row.node.parent === root?.index) go(0)
    else goTo(nodes[row.node.parent])
  }
  const nextFailed = (): void => {
    const current = row?.node.index ?? -1
    goTo(
      childNodes.find(({ isFailed, index }) => isFailed && index > current) ??
        childNodes.find(({ isFailed }) => isFailed),
    )
  }
  const down = (): void => go(active + 1)
  const goUp = (): void => go(active - 1)
  const focusDetail = (): void => document.getElementById(detailId)?.focus()
  const later = (): void => goTo(neighbourInTime(childNodes, row?.node, 1))
  const earlier = (): void => goTo(neighbourInTime(childNodes, row?.node, -1))
  useShortcuts(
    [
      { keys: 'j', label: 'Next log', onPress: down },
      { keys: 'k', label: 'Previous log', onPress: goUp },
      { keys: 'shift+arrowright', label: 'Next log by time', onPress: later },
      { keys: 'shift+arrowleft', label: 'Previous log by time', onPress: earlier },
      { keys: 'e', label: 'Next failed log', onPress: nextFailed },
      { keys: 'o', onPress: focusDetail },
      { keys: 'escape', label: 'Back to the tree', onPress: onFocus },
      { keys: '/', label: 'Search the tree', onPress: onSearch },
    ],
    isOnScreen,
  )
  // A focused button or link handles Enter itself.
  useShortcuts(
    [
      {
        keys: 'enter',
        label: 'Read the log',
        onPress: () => {
          const focused = document.activeElement
          if (focused instanceof HTMLElement && focused.matches('a, button')) focused.click()
          else focusDetail()
        },
      },
    ],
    isOnScreen,
  )
  const actions: Readonly<Record<string, () => void>> = {
    ArrowDown: down,
    ArrowUp: goUp,
    ArrowRight: inward,
    ArrowLeft: outward,
    'shift ArrowRight': later,
    'shift ArrowLeft': earlier,
    Home: () => go(0),
    End: () => go(rows.length),
    PageDown: () => go(active + pageRows),
    PageUp: () => go(active - pageRows),
    Enter: focusDetail,
  }
  return (event) => {
    const action = actions[(event.shiftKey ? 'shift ' : '') + event.key]
    if (action === undefined || event.metaKey || event.ctrlKey || event.altKey) return
    event.preventDefault()
    event.stopPropagation()
    action()
  }
}

/** The log that started next, or before it. */
function neighbourInTime(
  nodes: readonly LogNode[],
  log: LogNode | undefined,
  step: 1 | -1,
): LogNode | undefined {
  const timed = nodes
    .filter(({ startMs }) => startMs !== undefined)
    .sort((a, b) => (a.startMs ?? 0) - (b.startMs ?? 0))
  const index = log === undefined ? -1 : timed.indexOf(log)
  return timed[index + step]
}
