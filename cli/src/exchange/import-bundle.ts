import { createReadStream } from 'node:fs'
import { createGunzip, gzipSync } from 'node:zlib'
import { readLines } from '../datasets/formats.ts'
import { asText } from '../download.ts'
import { startProgress } from '../progress.ts'
import { CommandFailed, type Session } from '../session.ts'
import { checkedLines, sealed } from './bundle.ts'

/** A part is as much as one of the two allows; a part is taken within the two minutes that a request may last. */
const partMax = { lines: 2000, characters: 8 * 1024 * 1024 }

/** How many refused lines are shown to a person. */
const refusedShown = 20

/** Checks the whole bundle first, and sends it in parts then: one that was cut off changes nothing. */
export async function importBundle(session: Session, file: string, isDryRun: boolean): Promise<void> {
  const { client, print, signal } = session
  const kinds = new Map<string, number>()
  let total = 0
  for await (const line of linesOf(file)) {
    const kind = kindOf(line)
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
    total++
  }
  const found = [...kinds].map(([kind, count]) => `${count} ${kind}`).join(', ') || 'nothing'
  if (isDryRun)
    return print({ file, kinds: Object.fromEntries(kinds) }, `The bundle is whole. It has ${found}.`)

  const progress = startProgress(session, 'lines', total)
  const counts = new Map<string, { read: number; added: number }>()
  const refused: { line: number; table: string; reason: string }[] = []
  let refusedCount = 0
  let part: string[] = []
  let characters = 0
  let sent = 0
  const send = async (): Promise<void> => {
    signal.throwIfAborted()
    const bundle = gzipSync(sealed(part, JSON.stringify({ type: 'bundle', version: 1, exportedAt: '' })))
    const answer = await client.exchange.import(
      {},
      { file: new Blob([bundle], { type: 'application/gzip' }), signal, timeoutMs: 110_000 },
    )
    for (const { what, read, added } of answer.counts) {
      const before = counts.get(what) ?? { read: 0, added: 0 }
      counts.set(what, { read: before.read + read, added: before.added + added })
    }
    // A part begins with a line of its own, as the whole does, so that its lines are so many further down.
    for (const one of answer.refused) refused.push({ ...one, line: one.line + sent })
    refusedCount += answer.refusedCount
    for (const _line of part) progress.advance()
    sent += part.length
    part = []
    characters = 0
  }
  try {
    for await (const line of linesOf(file)) {
      part.push(line)
      characters += line.length
      if (part.length >= partMax.lines || characters >= partMax.characters) await send()
    }
    if (part.length > 0) await send()
  } catch (cause) {
    const why = signal.aborted ? 'it was interrupted' : (cause as Error).message.replace(/\.$/, '')
    throw new CommandFailed(
      `The import ended after ${sent} of ${total} lines: ${why}. Repeat it: what is there is not stored again.`,
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
      ...(refusedCount === 0 ? [] : [`${refusedCount} lines were refused; the rest was taken:`]),
      ...refused
        .slice(0, refusedShown)
        .map(({ line, table, reason }) => `  line ${line} (${table}): ${reason}`),
      ...(refusedCount > refusedShown ? [`  and ${refusedCount - refusedShown} more`] : []),
    ].join('\n'),
  )
}

const linesOf = (file: string): AsyncGenerator<string> => {
  const bytes = createReadStream(file)
  return checkedLines(readLines(asText(file.endsWith('.gz') ? bytes.compose(createGunzip()) : bytes)))
}

/** A row says its table; the rest says its type. */
const kindOf = (line: string): string =>
  /^\{"type":"row","table":"(\w+)"/.exec(line)?.[1] ?? `${/^\{"type":"(\w+)"/.exec(line)?.[1]}s`
