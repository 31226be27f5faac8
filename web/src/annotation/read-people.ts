const peopleMax = 20

/** How many people are to judge each item, as it was typed; undefined for what is no such number. */
export function readPeople(text: string): number | undefined {
  const count = Number(text)
  return text.trim() !== '' && Number.isInteger(count) && count >= 1 && count <= peopleMax ? count : undefined
}
