import { useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useRead } from '../../../app/api.ts'
import { useRemembered } from '../../../ui/storage/remembered.ts'
import { defaultViewName, readView, viewsPage } from './view-search.ts'

/** The history entries at which the list was shown: going back to one restores it as it was. */
const knownEntries = new Set<string | undefined>()

/** Opens the list with this device's default view, if the URL has no parameters of its own. */
export function useDefaultView(
  search: Readonly<Record<string, unknown>>,
  onOpen: (search: Readonly<Record<string, unknown>>) => void,
): void {
  const [id] = useRemembered(defaultViewName, '')
  const entry = useRouterState({ select: ({ location }) => location.state.__TSR_key })
  // Only on arrival: removing the last filter should show everything.
  const isArrival = useRef(!knownEntries.has(entry) && isEmptySearch(search))
  useEffect(() => void knownEntries.add(entry), [entry])
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

/** The range carries over between screens; an open trace means that the URL is a link. */
const isEmptySearch = (search: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(search).every(([name, value]) => name === 'range' || value === undefined)
