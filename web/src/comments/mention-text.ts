/** Mentions in the text of a comment: `@Ada Lovelace`. Pure. */

export interface Person {
  readonly id: string
  readonly name: string
}

/** The name being typed before the caret: the text after the last `@` that begins a word. */
export function typedMention(
  text: string,
  caret: number,
): { readonly start: number; readonly query: string } | undefined {
  const [match, before = '', query = ''] = /(^|[\s(])@([^@\n]{0,40})$/.exec(text.slice(0, caret)) ?? []
  if (match === undefined) return undefined
  return { start: caret - match.length + before.length, query }
}

/** The members whose name, or a later word of it, starts with the typed text; none once a name is complete. */
export function matchingPeople<Member extends Person>(
  people: readonly Member[],
  query: string,
): readonly Member[] {
  const lower = query.toLowerCase()
  return people.filter(({ name }) => {
    const lowerName = name.toLowerCase()
    return lowerName !== lower.trimEnd() && (lowerName.startsWith(lower) || lowerName.includes(` ${lower}`))
  })
}

/** The text with the typed name completed, and the new caret position. */
export function completeMention(
  text: string,
  caret: number,
  name: string,
): { readonly text: string; readonly caret: number } {
  const start = typedMention(text, caret)?.start ?? caret
  const head = `${text.slice(0, start)}@${name} `
  return { text: head + text.slice(caret), caret: head.length }
}

/**
 * The members that a text mentions. If one name starts with another, the longest counts; members with the same name
 * are all notified.
 */
export function findMentioned(text: string, people: readonly Person[]): readonly string[] {
  const byName = Map.groupBy(people, ({ name }) => name)
  const longestFirst = [...byName].toSorted(([a], [b]) => b.length - a.length)
  let rest = text
  return longestFirst.flatMap(([name, namesakes]) => {
    const mark = `@${name}`
    if (!rest.includes(mark)) return []
    rest = rest.replaceAll(mark, '')
    return namesakes.map(({ id }) => id)
  })
}
