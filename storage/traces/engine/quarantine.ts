/**
 * Parts that are damaged on disk. A statement that reads one fails; the part is then checked, and detached if the check
 * confirms the damage, so that everything else can be read again. Its files stay in the table's `detached` folder.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DamagedPart, PartCheck } from '../types.ts'
import type { Clients } from './clients.ts'
import { TraceStoreUnavailable } from './errors.ts'

/** A damaged part of the store, which is missing from query results. */
export interface Quarantine {
  /** Runs a statement; if it hits damaged parts, sets them aside and runs it again. */
  read<Result>(work: () => Promise<Result>): Promise<Result>
  /** The parts that are missing now, as far as this process knows. */
  parts(): readonly DamagedPart[]
  /** Asks the engine which parts are missing. */
  refresh(): Promise<readonly DamagedPart[]>
  /** Checks every part of every table; damaged ones are set aside if `isRepair`. */
  check(options: { readonly isRepair: boolean }): Promise<PartCheck>
}

/** Without this table, the store would be migrated from the start. */
const neverDetached = 'migrations'
/** One statement may hit several damaged parts, one after the other. */
const attemptsMax = 20
const partName = /\/([\w-]+_\d+_\d+_\d+(?:_\d+)?)\//g

type Part = { table: string; name: string; rows: string }

export function makeQuarantine(clients: Clients, onDamage: (part: DamagedPart) => void): Quarantine {
  let detached: readonly DamagedPart[] = []
  let lastRun: Promise<unknown> = Promise.resolve()
  /** One at a time: of several reads that hit the same part, one detaches it. */
  const runExclusive = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = lastRun.then(work)
    lastRun = result.catch(() => {})
    return result
  }

  const refresh = async (): Promise<readonly DamagedPart[]> => {
    detached = await readDamagedParts(clients)
    return detached
  }

  const setAside = async (part: Part, problem: string): Promise<void> => {
    const { table, name, rows } = part
    await clients.command(
      `INSERT INTO quarantined_parts (table_name, part, rows, problem, quarantined_at)
       VALUES ({table:String}, {name:String}, {rows:UInt64}, {problem:String}, now64(3))`,
      { table, name, rows, problem: problem.slice(0, 1000) },
    )
    await clients.command(`ALTER TABLE ${identifier(table)} DETACH PART '${identifier(name)}'`)
    onDamage({ table, part: name, rows: Number(rows), problem, since: new Date() })
    await refresh()
  }

  /**
   * Sets aside the parts that an error names if their checks fail. Returns whether one was set aside or has already
   * disappeared.
   */
  const handle = (error: TraceStoreUnavailable): Promise<boolean> =>
    runExclusive(async () => {
      const names = [...new Set([...error.message.matchAll(partName)].map(([, name = '']) => name))]
      let isMended = false
      for (const name of names) {
        const parts = (await activeParts(clients)).filter((part) => part.name === name)
        // Another read has set it aside meanwhile, or a merge has replaced it.
        if (parts.length === 0) isMended = true
        for (const part of parts) {
          const [result] = await checkTable(clients, part.table, name)
          if (result === undefined || result.isIntact) continue
          await setAside(part, result.problem)
          isMended = true
        }
      }
      return isMended
    })

  return {
    async read(work) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await work()
        } catch (error) {
          if (!(error instanceof TraceStoreUnavailable) || error.reason !== 'damaged') throw error
          if (attempt >= attemptsMax || !(await handle(error))) throw error
        }
      }
    },
    parts: () => detached,
    refresh,
    check: ({ isRepair }) =>
      runExclusive(async () => {
        const parts = await activeParts(clients)
        const damaged: DamagedPart[] = []
        for (const table of new Set(parts.map((part) => part.table))) {
          for (const { name, isIntact, problem } of await checkTable(clients, table)) {
            const part = parts.find((each) => each.table === table && each.name === name)
            if (isIntact || part === undefined) continue
            damaged.push({ table, part: name, rows: Number(part.rows), problem, since: undefined })
            if (isRepair && table !== neverDetached) await setAside(part, problem)
          }
        }
        return { parts: parts.length, damagedParts: damaged, missingParts: await refresh() }
      }),
  }
}

/** Servers in a cluster fetch a damaged part from one another, and detaching it on one would detach it on all. */
export const withoutRepair = (quarantine: Quarantine): Quarantine => ({
  ...quarantine,
  read: (work) => work(),
  check: () => quarantine.check({ isRepair: false }),
})

const activeParts = (clients: Clients): Promise<Part[]> =>
  clients.read<Part>(
    `SELECT table, name, toString(rows) AS rows FROM system.parts
     WHERE active AND database = currentDatabase() ORDER BY table, name`,
    {},
  )

/** The engine compares every file of a part with the checksums that it wrote. */
async function checkTable(
  clients: Clients,
  table: string,
  part?: string,
): Promise<{ name: string; isIntact: boolean; problem: string }[]> {
  const only = part === undefined ? '' : ` PART '${identifier(part)}'`
  const rows = await clients.check<{ part_path: string; is_passed: number; message: string }>(
    `CHECK TABLE ${identifier(table)}${only} SETTINGS check_query_single_value_result = 0`,
    {},
  )
  return rows.map(({ part_path, is_passed, message }) => ({
    name: part_path,
    isIntact: Number(is_passed) === 1,
    problem: message,
  }))
}

type DetachedRow = {
  table_name: string
  name: string
  reason: string
  path: string
  rows: string
  problem: string
  quarantinedAtMs: string
}

/** Parts in `detached`: those that were set aside here, and those that the engine found broken when it started. */
async function readDamagedParts(clients: Clients): Promise<DamagedPart[]> {
  const rows = await clients.read<DetachedRow>(
    `SELECT d.table AS table_name, d.name AS name, assumeNotNull(d.reason) AS reason, d.path AS path,
       toString(max(q.rows)) AS rows, any(q.problem) AS problem,
       toString(toUnixTimestamp64Milli(max(q.quarantined_at))) AS quarantinedAtMs
     FROM system.detached_parts d LEFT JOIN quarantined_parts q ON q.table_name = d.table AND q.part = d.name
     WHERE d.database = currentDatabase() AND (q.part != '' OR d.reason LIKE 'broken%')
     GROUP BY table_name, name, reason, path ORDER BY table_name, name`,
    {},
  )
  return Promise.all(
    rows.map(async ({ table_name: table, name, reason, path, rows: count, problem, quarantinedAtMs }) =>
      reason === ''
        ? { table, part: name, rows: Number(count), problem, since: new Date(Number(quarantinedAtMs)) }
        : {
            ...{ table, part: name, rows: await countOf(path) },
            ...{ problem: `The engine found it broken when it started (${reason}).`, since: undefined },
          },
    ),
  )
}

/** The row count recorded in a part; undefined if its files are elsewhere or the count is damaged. */
async function countOf(path: string): Promise<number | undefined> {
  const text = await readFile(join(path, 'count.txt'), 'utf8').catch(() => '')
  return /^\d+$/.test(text) ? Number(text) : undefined
}

/** A name that the engine gave to a table or a part: these statements take no parameters for them. */
function identifier(name: string): string {
  if (!/^[\w-]+$/.test(name)) throw new Error(`Not a name: ${name}`)
  return name
}
