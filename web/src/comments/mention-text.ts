/** Mentions in the text of a comment: `@Ada Lovelace`. Pure. */

export interface Person {
  readonly id: string
  readonly name: string
}

/** The name that is being typed before the caret: what stands after the last `@` that begins a word. */
export function typedMention(
  text: string,
  caret: number,
): { readonly start: number; readonly query: string } | undefined {
  const [match, before = '', query = ''] = /(^|[\s(])@([^@\n]{0,40})$/.exec(text.slice(0, caret)) ?? []
  if (match === undefined) return undefined
  return { start: caret - match.length + before.length, query }
}

/** The people whose name, or a later word of it, begins with what was typed; none once a whole name stands there. */
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

/** The text with the typed name completed, and where the caret goes. */
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
 * Whom a text mentions. The longest name counts where one begins with another; of people with the same name the text
 * does not say which one, so that each hears of it.
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
