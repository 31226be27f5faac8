/**
 * A text search returns after a number of traces, even with fewer matches than a page. This continues the search
 * until there is another page of rows.
 */
import { useEffect, useState } from 'react'
import type { MoreRows } from '../../../ui/table/more-rows.tsx'

interface Pages {
  readonly data: { readonly pages: readonly { readonly searchedBackTo?: string }[] } | undefined
  readonly items: readonly unknown[]
  readonly isPlaceholderData: boolean
  readonly isFetchingNextPage: boolean
  readonly more: MoreRows
}

/** `searchedBackTo` is set while the search continues; a new `text` restarts it. */
export function useSearchFurther(
  list: Pages,
  { pageMax, text }: { readonly pageMax: number; readonly text: string },
): { searchedBackTo: string | undefined; more: MoreRows } {
  const [goal, setGoal] = useState({ text, rows: pageMax })
  const rowsToFind = goal.text === text ? goal.rows : pageMax
  const latest = list.isPlaceholderData ? undefined : list.data?.pages.at(-1)
  const isSearching =
    latest?.searchedBackTo !== undefined && list.items.length < rowsToFind && list.more.error === null
  const { isFetchingNextPage, more } = list
  useEffect(() => {
    if (isSearching && !isFetchingNextPage) more.load()
  }, [isSearching, isFetchingNextPage, more])
  return {
    searchedBackTo: isSearching ? latest?.searchedBackTo : undefined,
    more: {
      ...more,
      load: () => {
        const rows = list.items.length + pageMax
        // The table requests more after each render that shows its end, so only a new goal may trigger a render.
        if (goal.text !== text || goal.rows !== rows) setGoal({ text, rows })
        more.load()
      },
    },
  }
}
