/** Distributes the rows of a batch to the shards of their workspaces. */
import { createHash } from 'node:crypto'
import type { RowRange } from '../rows/column-types.ts'
import { readColumn, selectRows, splitBlocks } from '../rows/row-block.ts'

/** The rows of one shard. */
export interface ShardRows {
  /** Consecutive blocks; empty if there are no rows. */
  readonly bytes: Buffer
  /** The index of each row in the batch. */
  readonly rows: readonly number[]
}

/** The number of the shard of a workspace, from 0; it never changes unless the number of shards does. */
export const shardOf = (workspaceId: string, count: number): number =>
  createHash('sha256').update(workspaceId).digest().readUInt32BE() % count

/** Maps shard numbers to their rows. */
export function divideRows(
  bytes: Buffer,
  count: number,
  shardOfWorkspace: (workspaceId: string) => number,
): ShardRows[] {
  const shards = Array.from({ length: count }, () => ({ blocks: [] as Buffer[], rows: [] as number[] }))
  let rowsBefore = 0
  for (const block of splitBlocks(bytes)) {
    const ranges: RowRange[][] = shards.map(() => [])
    const workspaceIds = readColumn(block, 'workspace_id') as string[]
    for (const [row, workspaceId] of workspaceIds.entries()) {
      const shard = shardOfWorkspace(workspaceId)
      shards[shard]!.rows.push(rowsBefore + row)
      const last = ranges[shard]!.at(-1)
      if (last?.[1] === row) ranges[shard]!.splice(-1, 1, [last[0], row + 1])
      else ranges[shard]!.push([row, row + 1])
    }
    shards.forEach(({ blocks }, shard) => void blocks.push(selectRows(block, ranges[shard]!)))
    rowsBefore += workspaceIds.length
  }
  return shards.map(({ blocks, rows }) => ({ bytes: Buffer.concat(blocks), rows }))
}
