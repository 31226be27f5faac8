/** Bundles as lines: the last line holds the count and the SHA-256 of the lines before it. */
import { createHash } from 'node:crypto'
import { CommandFailed } from '../session.ts'

/** Yields the lines between the first and the last; throws if the bundle is incomplete or damaged. */
export async function* verifyBundle(lines: AsyncIterable<string>): AsyncGenerator<string> {
  const hash = createHash('sha256')
  let count = 0
  let end: { readonly lines?: number; readonly sha256?: string } | undefined
  for await (const line of lines) {
    if (end !== undefined) throw new CommandFailed('The bundle continues after its end.')
    if (count === 0 && !line.startsWith('{"type":"bundle"')) throw new CommandFailed('This is not a bundle.')
    if (line.startsWith('{"type":"end"')) {
      end = JSON.parse(line) as NonNullable<typeof end>
      continue
    }
    hash.update(line).update('\n')
    if (count > 0) yield line
    count++
  }
  if (end === undefined) throw new CommandFailed('The bundle has no end: it is truncated.')
  if (end.lines !== count || end.sha256 !== hash.digest('hex'))
    throw new CommandFailed('The bundle does not match its checksum: it was changed or damaged.')
}

/** Creates a bundle from these lines. */
export function sealBundle(lines: readonly string[], firstLine: string): string {
  const text = [firstLine, ...lines].map((line) => `${line}\n`).join('')
  const sha256 = createHash('sha256').update(text).digest('hex')
  return `${text}${JSON.stringify({ type: 'end', lines: lines.length + 1, sha256 })}\n`
}
