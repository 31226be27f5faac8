/**
 * Readers of search parameters: a route declares its parameters, and gets them typed. URLs come from anywhere, so an
 * invalid value is undefined and never throws.
 */

type Reader<Value> = (raw: unknown) => Value | undefined
type Readers = Readonly<Record<string, Reader<unknown>>>

/** The parameters that readers produce, each of them optional. */
export type ParamsOf<Stated extends Readers> = { [Name in keyof Stated]?: ReturnType<Stated[Name]> }

/** `validateSearch` of a route: `searchParams({ q: text, sort: oneOf('newest', 'cost') })`. */
export const searchParams =
  <Stated extends Readers>(readers: Stated) =>
  (search: Readonly<Record<string, unknown>>): ParamsOf<Stated> => {
    const read = Object.entries(readers).flatMap(([name, reader]) => {
      const value = reader(search[name])
      // The router merges the result over the raw parameters, so an omitted invalid one would stay.
      return value === undefined && !(name in search) ? [] : [[name, value] as const]
    })
    // Safe: each value came from the reader of its name.
    return Object.fromEntries(read) as ParamsOf<Stated>
  }

/** A non-empty text. A number or a boolean in the URL is read as text. */
export const text: Reader<string> = (raw) => {
  if (typeof raw === 'number' || typeof raw === 'boolean') return String(raw)
  return typeof raw === 'string' && raw !== '' ? raw : undefined
}

export const number: Reader<number> = (raw) => {
  const value = typeof raw === 'string' && raw !== '' ? Number(raw) : raw
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** True or absent. */
export const flag: Reader<true> = (raw) => (raw === true || raw === 'true' ? true : undefined)

/** One of the given words. */
export const oneOf =
  <const Words extends readonly string[]>(...words: Words): Reader<Words[number]> =>
  (raw) =>
    words.find((word) => word === raw)

/** A list of texts; a single text is accepted too. */
export const texts: Reader<readonly string[]> = (raw) => {
  const list = (Array.isArray(raw) ? raw : [raw]).map(text).filter((item) => item !== undefined)
  return list.length > 0 ? list : undefined
}
