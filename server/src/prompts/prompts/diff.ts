import { type operations, ServiceError } from '@plumbline/contract'
import { diffLines } from 'diff'
import type { Verb } from '../../requests/verb.ts'
import { readExtras } from '../../workspace/extras.ts'
import { readModel } from '../../workspace/model.ts'
import type { CachedPrompt, CachedVersion } from '../../workspace/workspace-cache.ts'

type Line = { change: 'same' | 'added' | 'removed'; line: string }

export const diff: Verb<typeof operations.prompts.diff> = async ({ slug, from, to }, { workspace }) => {
  const prompt = await workspace.cache.prompt(slug)
  if (prompt === undefined) throw new ServiceError('prompt_not_found', { slug })
  const older = pick(prompt, from)
  const newer = pick(prompt, to)
  return {
    from: older.version,
    to: newer.version,
    text: compare(textOf(older), textOf(newer)),
    systemText: compare(older.systemText, newer.systemText),
    model: compare(indent(older), indent(newer)),
  }
}

/** The version with this name, or the one that carries a tag with this name. */
function pick({ slug, versions }: CachedPrompt, name: string): CachedVersion {
  const match =
    versions.find(({ version }) => version === name) ?? versions.find(({ tags }) => tags.includes(name))
  if (match === undefined)
    throw new ServiceError('version_not_found', { slug, selector: `version or tag "${name}"` })
  return match
}

/** The text; for a version made of messages, the messages as indented JSON. */
const textOf = (version: CachedVersion): string => {
  const { messages } = readExtras(version)
  return messages === undefined || version.text !== '' ? version.text : JSON.stringify(messages, null, 2)
}

const indent = ({ model }: CachedVersion): string => JSON.stringify(readModel(model), null, 2)

/**
 * Texts that differ more are not compared line by line: the work grows with the square of the number of changed lines, and
 * this thread serves requests.
 */
const limits = { maxEditLength: 1000, timeout: 200 }

function compare(older: string, newer: string): Line[] {
  // With a newline at the end of both, an unchanged last line does not count as changed.
  const [before, after] = [`${older}\n`, `${newer}\n`]
  const parts = diffLines(before, after, limits)
  if (parts === undefined) return [...linesOf(before, 'removed'), ...linesOf(after, 'added')]
  return parts.flatMap(({ value, added, removed }) =>
    linesOf(value, added ? 'added' : removed ? 'removed' : 'same'),
  )
}

const linesOf = (text: string, change: Line['change']): Line[] =>
  text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => ({ change, line }))
