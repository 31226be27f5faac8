/** The ids of all traces that match a filter, for operations that accept only ids. */
import { type ReactNode, useEffect, useState } from 'react'
import { call, type Input, useClient } from '../../app/api.ts'
import { readAll } from '../../app/read-all.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Dialog, DialogActions } from '../../ui/overlay/dialog.tsx'
import { exactNumber } from '../../ui/text/format.ts'

export interface MatchingTraces {
  /** The filter as trace operations accept it. */
  readonly filter: NonNullable<Input<'deletions.preview'>['filter']>
  /** The order of the list. */
  readonly order: Pick<Input<'traces.list'>, 'sort' | 'order'>
  /** The total; undefined until it is counted. */
  readonly count: number | undefined
}

/** The maximum number per action: each id is sent in a request and held in memory. */
const idsMax = 10_000
const pageMax = 1000

interface Matches {
  readonly ids: readonly string[]
  /** Whether these are all. */
  readonly isWhole: boolean
}

interface WithMatchingIdsProps {
  readonly matches: MatchingTraces
  readonly onClose: () => void
  readonly children: (ids: readonly string[]) => ReactNode
}

/** Reads the ids with a progress display, asks for confirmation if there are too many, and passes them on. */
export function WithMatchingIds({ matches, onClose, children }: WithMatchingIdsProps) {
  // The action applies to the traces selected initially, even if the list behind the dialog changes.
  const [{ filter, order, count }] = useState(matches)
  const client = useClient()
  const [readCount, setReadCount] = useState(0)
  const [result, setResult] = useState<Matches | Error>()
  const [attempt, setAttempt] = useState(0)
  const [isAccepted, setAccepted] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: Another attempt reads them again.
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    setResult(undefined)
    readAll(
      async (cursor) => {
        const input = { ...filter, ...order, limit: pageMax, ...(cursor !== undefined && { cursor }) }
        const { traces, nextCursor } = await call(client, 'traces.list', input, { signal })
        return { items: traces.map(({ id }) => id), nextCursor }
      },
      { max: idsMax, signal, onProgress: setReadCount },
    ).then(
      ({ items, isWhole }) => setResult({ ids: items, isWhole }),
      (error: unknown) => {
        if (!signal.aborted) setResult(error instanceof Error ? error : new Error(String(error)))
      },
    )
    return () => controller.abort()
  }, [client, filter, order, attempt])
  if (result instanceof Error)
    return (
      <Dialog isOpen onClose={onClose} title="The traces that match could not be read">
        <ErrorState error={result} onRetry={() => setAttempt((number) => number + 1)} />
      </Dialog>
    )
  if (result === undefined)
    return (
      <Dialog isOpen onClose={onClose} title="Reading the traces that match">
        <p role="status" className="numbers text-sm text-ink-2">
          {exactNumber(readCount)}
          {count !== undefined && ` of ${exactNumber(Math.min(count, idsMax))}`}
        </p>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
        </DialogActions>
      </Dialog>
    )
  if (result.ids.length === 0)
    return (
      <Dialog isOpen onClose={onClose} title="No traces match any more">
        <DialogActions>
          <Button onClick={onClose}>Close</Button>
        </DialogActions>
      </Dialog>
    )
  if (!result.isWhole && !isAccepted)
    return (
      <Dialog
        isOpen
        onClose={onClose}
        title={`Only the first ${exactNumber(idsMax)} traces`}
        description={`This acts on up to ${exactNumber(idsMax)} traces at a time: the first in list order. Narrow the filter or the range for the others. Export and Delete act on all that match.`}
      >
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" onClick={() => setAccepted(true)}>
            Continue with {exactNumber(idsMax)}
          </Button>
        </DialogActions>
      </Dialog>
    )
  return children(result.ids)
}
