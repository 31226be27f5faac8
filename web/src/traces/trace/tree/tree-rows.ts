/** The visible logs of a tree: without collapsed ones, or the matches of a search. Pure. */
import type { StoredLog } from '@plumbline/sdk'
import type { LogNode } from './trace-tree.ts'

export interface TreeRow {
  readonly node: LogNode
  /** The depth below the row of the trace; 0 at the top. */
  readonly depth: number
  /** Whether its children are visible; undefined if it has none. */
  readonly isOpen: boolean | undefined
  /** True if only a descendant matches the search. */
  readonly isPath: boolean
}

/** The rows of a tree in which the logs with these ids are collapsed. The row of the trace represents its root span. */
export function treeRows(
  nodes: readonly LogNode[],
  foldedIds: ReadonlySet<string>,
  root?: LogNode,
): readonly TreeRow[] {
  const rows: TreeRow[] = []
  const hiddenLevels = root === undefined ? 0 : 1
  for (let index = hiddenLevels; index < nodes.length; ) {
    const node = nodes[index] as LogNode
    const isLeaf = node.end === index + 1
    const isOpen = !foldedIds.has(node.log.id)
    rows.push({ node, depth: node.depth - hiddenLevels, isOpen: isLeaf ? undefined : isOpen, isPath: false })
    index = isOpen ? index + 1 : node.end
  }
  return rows
}

/** The matching rows and their ancestors. The root span has a row only if it matches itself. */
export function foundRows(
  nodes: readonly LogNode[],
  fits: (node: LogNode) => boolean,
  root?: LogNode,
): readonly TreeRow[] {
  const visibility = new Map<number, boolean>()
  for (const node of nodes) {
    if (!fits(node)) continue
    visibility.set(node.index, false)
    for (
      let parent = node.parent;
      parent !== undefined && !visibility.has(parent);
      parent = nodes[parent]?.parent
    ) {
      visibility.set(parent, true)
    }
  }
  const isRootHidden = root !== undefined && visibility.get(root.index) !== false
  const hiddenLevels = isRootHidden ? 1 : 0
  return nodes.flatMap((node) => {
    const isPath = visibility.get(node.index)
    if (isPath === undefined || (isRootHidden && node === root)) return []
    const isOpen = node.end === node.index + 1 ? undefined : true
    return [{ node, depth: node.depth - hiddenLevels, isOpen, isPath }]
  })
}

/** Whether a log has all words of a search in its name, type, model or content. Search texts are cached. */
export function searcher(nodes: readonly LogNode[]): (text: string) => (node: LogNode) => boolean {
  const texts = new Array<string | undefined>(nodes.length)
  const textOf = (node: LogNode): string => {
    texts[node.index] ??= searchText(node.log)
    return texts[node.index] as string
  }
  return (text) => {
    const words = text
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '')
    return (node) => words.every((word) => textOf(node).includes(word))
  }
}

const searchText = ({ id, name, type, model, input, output, metadata }: StoredLog): string =>
  [name, `type:${type}`, model, id, textOf(input), textOf(output), textOf(metadata?.error)]
    .join('\n')
    .toLowerCase()

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === null || value === undefined ? '' : JSON.stringify(value)
