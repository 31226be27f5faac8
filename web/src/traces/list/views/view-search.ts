/** The URL parameters of a saved view. Pure. */
import { defaultParseSearch } from '@tanstack/react-router'

/** The storage key of the list's views. */
export const viewsPage = 'traces'
/** The storage key of this device's default view. */
export const defaultViewName = 'view.traces'

/** A built-in view of the list. */
export interface BuiltInView {
  readonly id: string
  readonly name: string
  readonly search: string
}

/** The search parameters without transient ones: the open trace and live mode. */
function viewSearch<Search extends Readonly<Record<string, unknown>>>(search: Search) {
  const { open: _open, log: _log, live: _live, ...viewState } = search
  return viewState
}

/** One text per view, independent of parameter order. */
export const viewText = (search: Readonly<Record<string, unknown>>): string => {
  const viewState = Object.entries(viewSearch(search)).filter(([, value]) => value !== undefined)
  return JSON.stringify(Object.fromEntries(viewState.sort(([a], [b]) => (a < b ? -1 : 1))))
}

/** The stored parameters of a view: a JSON object, or the query string of a URL. */
export function readView(text: string): Readonly<Record<string, unknown>> {
  const search = parseView(text)
  return typeof search === 'object' && search !== null && !Array.isArray(search) ? { ...search } : {}
}

function parseView(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return defaultParseSearch(text)
  }
}

/** Whether a view equals these parameters; scripts may store it in another form. */
export const isViewOf = ({ search }: { readonly search: string }, text: string): boolean =>
  search === text || viewText(readView(search)) === text

/** The most common views, available without saving them. */
export const builtInViews: readonly BuiltInView[] = [
  { id: 'failed', name: 'Failed', search: viewText({ q: 'hasError:true' }) },
  { id: 'slow', name: 'Slowest first', search: viewText({ sort: '-duration' }) },
  { id: 'expensive', name: 'Most expensive first', search: viewText({ sort: '-cost' }) },
  { id: 'disliked', name: 'Disliked: a score says no', search: viewText({ q: 'score:false' }) },
  { id: 'unscored', name: 'Without a score', search: viewText({ q: '-score:*' }) },
]
