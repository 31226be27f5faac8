import { useEffect, useRef } from 'react'
import { useRead } from '../../../app/api.ts'
import { useRemembered } from '../../../ui/remembered.ts'
import { defaultViewName, readView, viewsPage, viewText } from './view-search.ts'

/** Opens the list with the view that this device remembers, where the address asks for nothing of its own. */
export function useDefaultView(
  search: Readonly<Record<string, unknown>>,
  onOpen: (search: Readonly<Record<string, unknown>>) => void,
): void {
  const [id] = useRemembered(defaultViewName, '')
  // Only on arrival: who takes the last filter off wants to see everything.
  const isArrival = useRef(viewText({ ...search, range: undefined }) === '{}')
  const views = useRead('views.list', { page: viewsPage }, { enabled: id !== '' && isArrival.current }).data
    ?.views
  const latest = useRef(onOpen)
  latest.current = onOpen
  useEffect(() => {
    const view = views?.find((candidate) => candidate.id === id)
    if (!isArrival.current || view === undefined) return
    isArrival.current = false
    latest.current(readView(view.search))
  }, [views, id])
}
