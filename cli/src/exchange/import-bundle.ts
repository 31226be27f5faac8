import { createReadStream } from 'node:fs'
import { createGunzip, gzipSync } from 'node:zlib'
import { readLines } from '../datasets/formats.ts'
import { asText } from '../download.ts'
import { startProgress } from '../progress.ts'
import { CommandFailed, type Session } from '../session.ts'
import { sealBundle, verifyBundle } from './bundle.ts'

/** Limits of one request, chosen so that the service finishes it within its timeout of two minutes. */
const partLimits = { lines: 2000, characters: 8 * 1024 * 1024 }

/** Limits the rejected lines shown to a person. */
const refusedShown = 20

/** Verifies the whole bundle, then sends it in parts, so that a truncated bundle changes nothing. */
export async function importBundle(session: Session, file: string, isDryRun: boolean): Promise<void> {
  const { client, print, signal } = session
  const kinds = new Map<string, number>()
  let total = 0
  for await (const line of readBundleLines(file)) {
    const kind = kindOf(line)
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
    total++
  }
  const summary = [...kinds].map(([kind, count]) => `${count} ${kind}`).join(', ') || 'nothing'
  if (isDryRun)
    return print({ file, kinds: Object.fromEntries(kinds) }, `The bundle is complete. It has ${summary}.`)

  const progress = startProgress(session, 'lines', total)
  const counts = new Map<string, { read: number; added: number }>()
  const refused: { line: number; table: string; reason: string }[] = []
  let refusedCount = 0
  let part: string[] = []
  let characters = 0
  let sentLines = 0
  const send = async (): Promise<void> => {
    signal.throwIfAborted()
    const bundle = gzipSync(sealBundle(part, JSON.stringify({ type: 'bundle', version: 1, exportedAt: '' })))
    const response = await client.exchange.import(
      {},
      { file: new Blob([bundle], { type: 'application/gzip' }), signal, timeoutMs: 110_000 },
    )
    for (const { what, read, added } of response.counts) {
      const before = counts.get(what) ?? { read: 0, added: 0 }
      counts.set(what, { read: before.read + read, added: before.added + added })
    }
    // Each part starts with a header line, as the whole bundle does, so its line numbers shift by the lines sent before.
    for (const rejection of response.refused) refused.push({ ...rejection, line: rejection.line + sentLines })
    refusedCount += response.refusedCount
    for (const _line of part) progress.advance()
    sentLines += part.length
    part = []
    characters = 0
  }
  try {
    for await (const line of readBundleLines(file)) {
      part.push(line)
      characters += line.length
      if (part.length >= partLimits.lines || characters >= partLimits.characters) await send()
    }
    if (part.length > 0) await send()
  } catch (cause) {
    const why = signal.aborted ? 'it was interrupted' : (cause as Error).message.replace(/\.$/, '')
    throw new CommandFailed(
      `The import stopped after ${sentLines} of ${total} lines: ${why}. Run it again: existing data is not stored twice.`,
      { cause },
    )
  } finally {
    progress.end()
  }
  const rows = [...counts].map(([what, count]) => ({ what, ...count }))
  print(
    { file, counts: rows, refusedCount, refused },
    [
      ...rows.map(({ what, read, added }) => `${what}: ${added} of ${read} are new`),
      ...(refusedCount === 0 ? [] : [`${refusedCount} lines were rejected; the rest was imported:`]),
      ...refused
        .slice(0, refusedShown)
        .map(({ line, table, reason }) => `  line ${line} (${table}): ${reason}`),
      ...(refusedCount > refusedShown ? [`  and ${refusedCount - refusedShown} more`] : []),
    ].join('\n'),
  )
}

const readBundleLines = (file: string): AsyncGenerator<string> => {
  const bytes = createReadStream(file)
  return verifyBundle(readLines(asText(file.endsWith('.gz') ? bytes.compose(createGunzip()) : bytes)))
}

/** The table of a row; the type of any other line. */
const kindOf = (line: string): string =>
  /^\{"type":"row","table":"(\w+)"/.exec(line)?.[1] ?? `${/^\{"type":"(\w+)"/.exec(line)?.[1]}s`
