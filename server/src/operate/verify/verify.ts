/** Checks all stored data for damage: reads all of it, and compares it with what was written. */
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { checkControlFile } from '@plumbline/storage/control'
import { readSegment } from '@plumbline/storage/spool'
import type { DamagedPart, TraceStore } from '@plumbline/storage/traces'
import { type CheckedFiles, checkFiles, type FilesToCheck } from './check-files.ts'

/** A difference from what was written. */
export interface Finding {
  readonly store: 'control plane' | 'trace store' | 'spool' | 'files'
  /** The file, part or key. */
  readonly where: string
  readonly problem: string
  /** The number of rows or records that are lost, if known. */
  readonly lost?: number | undefined
}

export interface VerifyReport {
  readonly isIntact: boolean
  readonly findings: readonly Finding[]
  /** Counts of what was read. */
  readonly checked: {
    readonly controlPlane: 'SQLite' | 'PostgreSQL, which checks itself'
    readonly traceStoreParts: number
    readonly spoolSegments: number
    readonly spoolRecords: number
    readonly files: CheckedFiles
  }
}

export interface VerifyParts {
  readonly dataFolder: string
  readonly traceStore: Pick<TraceStore, 'checkParts'>
  /** Undefined if the control plane cannot be read. */
  readonly files: FilesToCheck | undefined
  /** Whether to set damaged parts of the trace store aside, so that everything else can be read. */
  readonly isRepair: boolean
}

export async function verify({
  dataFolder,
  traceStore,
  files,
  isRepair,
}: VerifyParts): Promise<VerifyReport> {
  const controlFile = join(dataFolder, 'control.db')
  const hasControlFile = existsSync(controlFile)
  const controlProblems = hasControlFile ? await checkControlFile(controlFile) : []
  const { parts, damagedParts, missingParts } = await traceStore.checkParts({ isRepair })
  const spool = await checkSpool(join(dataFolder, 'spool'))
  const checkedFiles = await checkFiles(files)
  const partsOf = [
    ...missingParts,
    ...damagedParts.filter((part) => !missingParts.some((each) => isSame(each, part))),
  ]
  const findings: Finding[] = [
    ...controlProblems.map((problem): Finding => ({ store: 'control plane', where: controlFile, problem })),
    ...partsOf.map(
      ({ table, part, rows, problem }): Finding => ({
        ...{ store: 'trace store', where: `${part} of ${table}`, problem, lost: rows },
      }),
    ),
    ...spool.findings,
    ...checkedFiles.findings,
  ]
  return {
    isIntact: findings.length === 0,
    findings,
    checked: {
      controlPlane: hasControlFile ? 'SQLite' : 'PostgreSQL, which checks itself',
      traceStoreParts: parts,
      spoolSegments: spool.segments,
      spoolRecords: spool.records,
      files: checkedFiles.counts,
    },
  }
}

const isSame = (part: DamagedPart, other: DamagedPart): boolean =>
  part.table === other.table && part.part === other.part

/** Every segment, with the checksum of each record. It is no problem if one is drained in the meantime. */
async function checkSpool(
  folder: string,
): Promise<{ findings: Finding[]; segments: number; records: number }> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.segment')).sort()
  const findings: Finding[] = []
  let segments = 0
  let records = 0
  for (const name of names) {
    const path = join(folder, name)
    try {
      const contents = readSegment({ path })
      segments += 1
      records += contents.records.length
      if (contents.damagedRecords > 0)
        findings.push({
          ...{ store: 'spool', where: path, lost: contents.damagedRecords },
          problem: 'Acknowledged records are damaged.',
        })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') continue
      findings.push({ store: 'spool', where: path, problem: String(error) })
    }
  }
  return { findings, segments, records }
}
