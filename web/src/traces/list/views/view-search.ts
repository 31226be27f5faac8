/** What a saved view keeps of an address. Pure. */

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

/** The parameters that a view keeps; none where its text is not of ours. */
export function readView(text: string): Readonly<Record<string, unknown>> {
  try {
    const search: unknown = JSON.parse(text)
    return typeof search === 'object' && search !== null && !Array.isArray(search) ? { ...search } : {}
  } catch {
    return {}
  }
}

/** What a working day asks for most often, without anybody having saved it. */
export const builtInViews: readonly BuiltInView[] = [
  { id: 'failed', name: 'Failed', search: viewText({ q: 'hasError:true' }) },
  { id: 'slow', name: 'Slowest first', search: viewText({ sort: '-duration' }) },
  { id: 'expensive', name: 'Most expensive first', search: viewText({ sort: '-cost' }) },
  { id: 'disliked', name: 'Disliked: a score says no', search: viewText({ q: 'score:false' }) },
  { id: 'unscored', name: 'Without a score', search: viewText({ q: '-score:*' }) },
]
