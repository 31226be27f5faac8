/** Pages by number, as Langfuse has them. */
import { invalid } from '@plumbline/contract'
import type { LangfuseInput } from './endpoint.ts'
import { queryNumber } from './read-input.ts'

export interface PageRequest {
  readonly page: number
  readonly limit: number
}

const limitMax = 1000

export function readPage(input: LangfuseInput): PageRequest {
  const limit = queryNumber(input, 'limit') ?? 50
  if (limit > limitMax) throw invalid('limit', `must be at most ${limitMax}`)
  return { page: queryNumber(input, 'page') ?? 1, limit }
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
