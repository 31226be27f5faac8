/**
 * Several stores as one: each has all data of some workspaces, so no query needs more than one of them. The workspace
 * id determines the shard.
 *
 * A batch is stored once every shard has its part. If one is away, the others store their parts anyway and recognize
 * them by their token on a retry; the error names the shard, so that the caller can leave it out and continue.
 */
import { TraceStoreUnavailable } from '../engine/errors.ts'
import type { TraceStore } from '../store.ts'
import type { InsertBatch, InsertResult, Table } from '../types.ts'
import type { Partitions } from '../write/write-types.ts'
import { divideRows, type ShardRows, shardOf } from './divide-rows.ts'

const tables = ['traces', 'logs', 'scores', 'spans'] as const

/** In the order of their numbers. */
export function joinShards(shards: readonly TraceStore[]): TraceStore {
  const dealer = makeDealer(shards)
  return { ...writesOf(dealer), ...workspacesOf(dealer), ...upkeepOf(dealer) }
}

type Blocks = Omit<InsertBatch, 'token' | 'withoutShards'>

interface Dealer {
  readonly shards: readonly TraceStore[]
  /** From 0. */
  numberOf(workspaceId: string): number
  of(workspaceId: string): TraceStore
  inAll<Result>(work: (shard: TraceStore, number: number) => Promise<Result>): Promise<Result[]>
  /** Runs the work on each shard that some of the items belong to. */
  deal<Item extends { readonly workspaceId: string }, Result>(
    items: readonly Item[],
    work: (shard: TraceStore, items: readonly Item[]) => Promise<Result>,
  ): Promise<Result[]>
}

function makeDealer(shards: readonly TraceStore[]): Dealer {
  const numbers = new Map<string, number>()
  const numberOf = (workspaceId: string): number => {
    const number = numbers.get(workspaceId) ?? shardOf(workspaceId, shards.length)
    numbers.set(workspaceId, number)
    return number
  }
  return {
    shards,
    numberOf,
    of: (workspaceId) => shards[numberOf(workspaceId)]!,
    inAll: (work) => allOf(shards.map((shard, number) => nameShard(number, work(shard, number)))),
    deal: (items, work) =>
      allOf(
        [...Map.groupBy(items, ({ workspaceId }) => numberOf(workspaceId))].map(([number, ownItems]) =>
          nameShard(number, work(shards[number]!, ownItems)),
        ),
      ),
  }
}

/** Adds the shard number to errors of a shard. */
async function nameShard<Result>(number: number, work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    if (error instanceof TraceStoreUnavailable) error.shard = number + 1
    throw error
  }
}

/** Inserts the rows of each shard that has any, and reports rejected rows by their index in the batch. */
async function insertParts(
  { shards, numberOf, inAll }: Dealer,
  batch: Blocks,
  insertPart: (shard: TraceStore, blocks: Blocks, number: number) => Promise<InsertResult>,
): Promise<InsertResult> {
  const parts = new Map(
    tables.map((table) => [table, divideRows(batch[table] ?? Buffer.alloc(0), shards.length, numberOf)]),
  )
  const results = await inAll(async (shard, number) => {
    const rowsOf = (table: Table): ShardRows => parts.get(table)![number]!
    const bytesOf = (table: Table): Buffer => rowsOf(table).bytes
    const blocks = {
      traces: bytesOf('traces'),
      logs: bytesOf('logs'),
      scores: bytesOf('scores'),
      spans: bytesOf('spans'),
    }
    const { rejectedRows } = await insertPart(shard, blocks, number)
    return rejectedRows.map((each) => ({ ...each, row: rowsOf(each.table).rows[each.row]! }))
  })
  return { rejectedRows: results.flat() }
}

const isEmpty = (blocks: Blocks): boolean => Object.values(blocks).every(({ length }) => length === 0)
const nothingRejected: InsertResult = { rejectedRows: [] }

const writesOf = (dealer: Dealer) =>
  ({
    insert: ({ token, withoutShards, ...batch }) =>
      insertParts(dealer, batch, async (shard, blocks, number) =>
        isEmpty(blocks) || withoutShards?.has(number + 1) === true
          ? nothingRejected
          : shard.insert({ token, ...blocks }),
      ),
    replace({ revision, keys, replaces, ...batch }) {
      const keysOf = Map.groupBy(keys, ({ workspaceId }) => dealer.numberOf(workspaceId))
      return insertParts(dealer, batch, async (shard, blocks, number) => {
        const ownKeys = keysOf.get(number) ?? []
        return ownKeys.length === 0 && isEmpty(blocks)
          ? nothingRejected
          : shard.replace({ revision, replaces, keys: ownKeys, ...blocks })
      })
    },
    noteReplacements: (replacements) => {
      for (const shard of dealer.shards) shard.noteReplacements(replacements)
    },
    joinExperiment: async ({ keys, ...join }) =>
      void (await dealer.deal(keys, (shard, ownKeys) => shard.joinExperiment({ ...join, keys: ownKeys }))),
    changeCosts: async ({ keys, traces, logs, ...changes }) =>
      void (await dealer.deal(keys, (shard, ownKeys) => {
        const ids = new Set(ownKeys.map(({ traceId }) => traceId))
        return shard.changeCosts({
          ...changes,
          keys: ownKeys,
          traces: traces.filter(({ traceId }) => ids.has(traceId)),
          logs: logs.filter(({ traceId }) => ids.has(traceId)),
        })
      })),
    readSpans: async (traces) =>
      (await dealer.deal(traces, (shard, ownTraces) => shard.readSpans(ownTraces))).join(''),
    storedScores: async (scores) =>
      (await dealer.deal(scores, (shard, ownScores) => shard.storedScores(ownScores))).flat(),
    keepLatestScores: async (scores) =>
      void (await dealer.deal(scores, (shard, ownScores) => shard.keepLatestScores(ownScores))),
  }) satisfies Partial<TraceStore>

/** Operations on one workspace. */
const workspacesOf = (dealer: Dealer) =>
  ({
    scopedTo: (workspaceId) => dealer.of(workspaceId).scopedTo(workspaceId),
    nextTraces: (selection, page) => dealer.of(selection.workspaceId).nextTraces(selection, page),
    planSlice: (selection, page) => dealer.of(selection.workspaceId).planSlice(selection, page),
    deleteSlice: (workspaceId, slice) => dealer.of(workspaceId).deleteSlice(workspaceId, slice),
    deleteSpans: (workspaceId, ids) =>
      nameShard(dealer.numberOf(workspaceId), dealer.of(workspaceId).deleteSpans(workspaceId, ids)),
    deleteScoresOfUser: (workspaceId, options) =>
      dealer.of(workspaceId).deleteScoresOfUser(workspaceId, options),
    matchingIds: (selection, ids) => dealer.of(selection.workspaceId).matchingIds(selection, ids),
    countScoresOfUser: (workspaceId, options) =>
      dealer.of(workspaceId).countScoresOfUser(workspaceId, options),
    countSelection: (selection) => dealer.of(selection.workspaceId).countSelection(selection),
    subjectRows: (workspaceId, ...subject) => dealer.of(workspaceId).subjectRows(workspaceId, ...subject),
    deleteWorkspace: (workspaceId) => dealer.of(workspaceId).deleteWorkspace(workspaceId),
  }) satisfies Partial<TraceStore>

/** Maintenance operations on all stores. */
const upkeepOf = (dealer: Dealer) =>
  ({
    // A newer version migrates all shards, so the reachable ones suffice to detect it.
    async refuseNewer() {
      const checks = await Promise.allSettled(dealer.shards.map((shard) => shard.refuseNewer()))
      const failures = checks.flatMap((check) => (check.status === 'rejected' ? [check.reason] : []))
      const refusal = failures.find((error) => !(error instanceof TraceStoreUnavailable))
      if (refusal !== undefined) throw refusal
      if (failures.length === checks.length) throw failures[0]
    },
    // Partitions are months, which every shard has.
    beginPurge: async (partitions, step) =>
      void (await dealer.inAll((shard) => shard.beginPurge(partitions, step))),
    isPurging: async () => (await dealer.inAll((shard) => shard.isPurging())).some(Boolean),
    removeOldParts: async (replacedBefore) =>
      sumOf(await dealer.inAll((shard) => shard.removeOldParts(replacedBefore))),
    // The latest clock, so that it covers everything that any shard has replaced so far.
    engineTime: async () =>
      new Date(
        Math.max(...(await dealer.inAll((shard) => shard.engineTime())).map((time) => time.getTime())),
      ),
    sparsePartitions: async () => unionOf(await dealer.inAll((shard) => shard.sparsePartitions())),
    dropExpiredMonths: async (expiries) =>
      void (await dealer.inAll((shard) => shard.dropExpiredMonths(expiries))),
    damagedParts: () => dealer.shards.flatMap((shard) => shard.damagedParts()),
    refreshDamagedParts: async () => (await dealer.inAll((shard) => shard.refreshDamagedParts())).flat(),
    async checkParts(options) {
      const checks = await dealer.inAll((shard) => shard.checkParts(options))
      return {
        parts: sumOf(checks.map(({ parts }) => parts)),
        damagedParts: checks.flatMap(({ damagedParts }) => damagedParts),
        missingParts: checks.flatMap(({ missingParts }) => missingParts),
      }
    },
    shardOf: (workspaceId) => dealer.numberOf(workspaceId) + 1,
    pings: dealer.shards.flatMap(({ pings }) => pings),
    releaseMemory: async () => void (await dealer.inAll((shard) => shard.releaseMemory())),
    deferMerges: async (isDeferred) => void (await dealer.inAll((shard) => shard.deferMerges(isDeferred))),
    counts() {
      const counts = dealer.shards.map((shard) => shard.counts())
      return {
        inserts: sumOf(counts.map(({ inserts }) => inserts)),
        rowsInserted: sumOf(counts.map(({ rowsInserted }) => rowsInserted)),
        rejectedRows: sumOf(counts.map(({ rejectedRows }) => rejectedRows)),
      }
    },
    async statistics() {
      const statistics = await dealer.inAll((shard) => shard.statistics())
      return {
        activeParts: sumOf(statistics.map(({ activeParts }) => activeParts)),
        bytesOnDisk: sumOf(statistics.map(({ bytesOnDisk }) => bytesOnDisk)),
      }
    },
    // Only an embedded store can be copied, and a shard is never embedded.
    snapshot: async () => false,
    close: async () => void (await dealer.inAll((shard) => shard.close())),
  }) satisfies Partial<TraceStore>

/** All results, or the first error once all work has ended, so that nothing continues in the background. */
async function allOf<Result>(works: readonly Promise<Result>[]): Promise<Result[]> {
  await Promise.allSettled(works)
  return Promise.all(works)
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0)

function unionOf(partitions: readonly Partitions[]): Partitions {
  const names = new Map<string, Set<string>>()
  for (const [table, partitionNames] of partitions.flatMap((each) => Object.entries(each)))
    names.set(table, new Set([...(names.get(table) ?? []), ...partitionNames]))
  return Object.fromEntries([...names].map(([table, partitionNames]) => [table, [...partitionNames]]))
}
