/** Bundles as lines: what makes one whole is its last line, with the number and the SHA-256 of those before it. */
import { createHash } from 'node:crypto'
import { CommandFailed } from '../session.ts'

/** The same lines without the first and the last; fails where they are not a whole bundle. */
export async function* checkedLines(lines: AsyncIterable<string>): AsyncGenerator<string> {
  const hash = createHash('sha256')
  let count = 0
  let end: { readonly lines?: number; readonly sha256?: string } | undefined
  for await (const line of lines) {
    if (end !== undefined) throw new CommandFailed('The bundle goes on after its end.')
    if (count === 0 && !line.startsWith('{"type":"bundle"')) throw new CommandFailed('This is no bundle.')
    if (line.startsWith('{"type":"end"')) {
      end = JSON.parse(line) as NonNullable<typeof end>
      continue
    }
    hash.update(line).update('\n')
    if (count > 0) yield line
    count++
  }
  if (end === undefined) throw new CommandFailed('The bundle has no end: it was cut off.')
  if (end.lines !== count || end.sha256 !== hash.digest('hex'))
    throw new CommandFailed('The bundle does not fit its checksum: it was changed or damaged.')
}

/** A bundle of these lines alone. */
export function sealed(lines: readonly string[], firstLine: string): string {
  const text = [firstLine, ...lines].map((line) => `${line}\n`).join('')
  const sha256 = createHash('sha256').update(text).digest('hex')
  return `${text}${JSON.stringify({ type: 'end', lines: lines.length + 1, sha256 })}\n`
}
