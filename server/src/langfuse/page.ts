/** Numbered pages, as in Langfuse's API. */
import { invalid } from '@plumbline/contract'
import type { LangfuseInput } from './endpoint.ts'
import { queryNumber } from './read-input.ts'

export interface PageRequest {
  readonly page: number
  readonly limit: number
}

const limitMax = 1000
/** A limit, since the items before a page have to be read too. */
const itemsMax = 100_000

export function readPage(input: LangfuseInput): PageRequest {
  const limit = queryNumber(input, 'limit') ?? 50
  if (limit > limitMax) throw invalid('limit', `must be at most ${limitMax}`)
  const page = queryNumber(input, 'page') ?? 1
  if (page * limit > itemsMax)
    throw invalid('page', `must be among the first ${itemsMax} items; export to get the rest`)
  return { page, limit }
}

export const metaOf = ({ page, limit }: PageRequest, totalItems: number) => ({
  page,
  limit,
  totalItems,
  totalPages: Math.ceil(totalItems / limit),
})

/** One page of all items. */
export const pageOf = <Item>(items: readonly Item[], request: PageRequest) => ({
  items: items.slice((request.page - 1) * request.limit, request.page * request.limit),
  meta: metaOf(request, items.length),
})

interface ReadPart<Item> {
  readonly items: readonly Item[]
  readonly nextCursor: string | undefined
}

/** One page of a list that is read by cursors. Items before the page are not kept, and items after it are not read. */
export async function pageByCursors<Item>(
  { page, limit }: PageRequest,
  read: (cursor: string | undefined) => Promise<ReadPart<Item>>,
): Promise<{ items: Item[]; itemsRead: number; isWhole: boolean }> {
  const start = (page - 1) * limit
  const items: Item[] = []
  let itemsRead = 0
  let cursor: string | undefined
  do {
    const part = await read(cursor)
    items.push(...part.items.slice(Math.max(0, start - itemsRead), Math.max(0, start + limit - itemsRead)))
    itemsRead += part.items.length
    cursor = part.nextCursor
  } while (cursor !== undefined && itemsRead < start + limit)
  return { items, itemsRead, isWhole: cursor === undefined }
}
