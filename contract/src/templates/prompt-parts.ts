/**
 * Parts that prompts share: `{% include "tone" %}` stands for the text of the prompt `tone`. The service inserts it when it
 * serves a version, so that clients get a single template to render.
 */
import { slugOfName } from '../prompts/langfuse-prompts.ts'

/** A prompt that is included in another one. */
export interface PartReference {
  readonly slug: string
  /** A version or a tag; when absent, the version in production. */
  readonly selector: string | undefined
}

/**
 * `{% include "slug" %}` and `{% include "slug@selector" %}`, Langfuse's form of them, and the beginnings of comments and
 * raw blocks, in which both are plain text.
 */
const marks =
  /\{%-?\s*include\s+(?:"(?<double>[^"]*)"|'(?<single>[^']*)')\s*-?%\}|@@@langfusePrompt:name=(?<name>[^|@]+)(?:\|(?:version|label)=(?<selector>[^|@]+))?@@@|(?<comment>\{#)|(?<raw>\{%-?\s*raw\s*-?%\})/g
const commentEnd = /#\}/g
const rawEnd = /\{%-?\s*endraw\s*-?%\}/g

/** The parts that a template includes, in order. */
export function partsIn(template: string): PartReference[] {
  const references: PartReference[] = []
  replaceParts(template, (reference) => {
    references.push(reference)
    return ''
  })
  return references
}

/** Replaces each part of a template with a text. With `keepsBlanks`, line numbers stay the same. */
export function replaceParts(
  template: string,
  textOf: (reference: PartReference) => string,
  keepsBlanks = false,
): string {
  if (!template.includes('include') && !template.includes('@@@langfusePrompt:')) return template
  const findEnd = makeEndSearch(template)
  let replaced = ''
  let copied = 0
  let next = 0
  for (const { index, 0: match, groups = {} } of template.matchAll(marks)) {
    if (index < next) continue
    if (groups.comment !== undefined || groups.raw !== undefined) {
      next = findEnd(groups.raw === undefined ? commentEnd : rawEnd, index + match.length)
      continue
    }
    const before = template.slice(copied, index)
    const part = textOf(referenceOf(groups))
    // Like an include in Jinja: without the last line break, and with white space trimmed according to the tag's signs.
    const isTag = groups.name === undefined
    replaced +=
      (match.startsWith('{%-') && !keepsBlanks ? before.trimEnd() : before) +
      (isTag ? part.replace(/\r?\n$/, '') : part)
    copied = index + match.length
    if (match.endsWith('-%}') && !keepsBlanks)
      copied = template.length - template.slice(copied).trimStart().length
  }
  return replaced + template.slice(copied)
}

function referenceOf({
  double,
  single,
  name,
  selector,
}: Readonly<Record<string, string | undefined>>): PartReference {
  if (name !== undefined) return { slug: slugOfName(name), selector }
  const [slug = '', ...selectors] = (double ?? single ?? '').split('@')
  return { slug, selector: selectors.join('@') || undefined }
}

/** Finds the end of a comment or raw block; without one, it is plain text. A missing end is searched for only once. */
function makeEndSearch(template: string): (end: RegExp, start: number) => number {
  const missing = new Set<RegExp>()
  return (end, start) => {
    if (missing.has(end)) return start
    end.lastIndex = start
    const match = end.exec(template)
    if (match !== null) return match.index + match[0].length
    missing.add(end)
    return start
  }
}
