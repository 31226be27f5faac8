/** What a saved view keeps of an address. Pure. */
import { defaultParseSearch } from '@tanstack/react-router'

/** What views of the list are kept under. */
export const viewsPage = 'traces'
/** Under which this device remembers the view that the list opens with. */
export const defaultViewName = 'view.traces'

/** A view of the list that every workspace has. */
export interface BuiltInView {
  readonly id: string
  readonly name: string
  readonly search: string
}

/** The search parameters without those of the moment: which trace is open, and whether the list is live. */
function viewSearch<Search extends Readonly<Record<string, unknown>>>(search: Search) {
  const { open: _open, log: _log, live: _live, ...viewState } = search
  return viewState
}

/** One text for the same view, in whichever order its parameters stand. */
export const viewText = (search: Readonly<Record<string, unknown>>): string => {
  const viewState = Object.entries(viewSearch(search)).filter(([, value]) => value !== undefined)
  return JSON.stringify(Object.fromEntries(viewState.sort(([a], [b]) => (a < b ? -1 : 1))))
}

/** The parameters that a view keeps: a JSON object, or what stands behind the `?` of an address. */
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

/** Whether a view is what these parameters show; a script writes the same in another form. */
export const isViewOf = ({ search }: { readonly search: string }, text: string): boolean =>
  search === text || viewText(readView(search)) === text

/** What a working day asks for most often, without anybody having saved it. */
export const builtInViews: readonly BuiltInView[] = [
  { id: 'failed', name: 'Failed', search: viewText({ q: 'hasError:true' }) },
  { id: 'slow', name: 'Slowest first', search: viewText({ sort: '-duration' }) },
  { id: 'expensive', name: 'Most expensive first', search: viewText({ sort: '-cost' }) },
  { id: 'disliked', name: 'Disliked: a score says no', search: viewText({ q: 'score:false' }) },
  { id: 'unscored', name: 'Without a score', search: viewText({ q: '-score:*' }) },
]
