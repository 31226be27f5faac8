import { useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useRead } from '../../../app/api.ts'
import { useRemembered } from '../../../ui/storage/remembered.ts'
import { defaultViewName, readView, viewsPage } from './view-search.ts'

/** The entries of the history at which the list has been shown: who goes back to one finds it as they left it. */
const knownEntries = new Set<string | undefined>()

/** Opens the list with the view that this device remembers, where the address asks for nothing of its own. */
export function useDefaultView(
  search: Readonly<Record<string, unknown>>,
  onOpen: (search: Readonly<Record<string, unknown>>) => void,
): void {
  const [id] = useRemembered(defaultViewName, '')
  const entry = useRouterState({ select: ({ location }) => location.state.__TSR_key })
  // Only on arrival: who takes the last filter off wants to see everything.
  const isArrival = useRef(!knownEntries.has(entry) && asksNothing(search))
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

/** The range stays from screen to screen; an open trace is somebody's link. */
const asksNothing = (search: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(search).every(([name, value]) => name === 'range' || value === undefined)
