/**
 * One item after the other. While the person scores an item, the next one is claimed and its trace preloaded, so that
 * it shows at once. Submissions are sent in the background; if the service rejects one, its item is shown again.
 */
import { type AnnotationItem, type AnnotationProgress, type Operations, RequestFailed } from '@plumbline/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { call, type Input, queryFor, refresh, useClient } from '../../app/api.ts'
import { useSession } from '../../app/session.tsx'
import { useToasts } from '../../ui/overlay/toast.tsx'
import { type Answers, answersOf } from './answers.ts'
import { forgetAnswers, keepAnswers, readAnswers } from './unsent-answers.ts'

/** An item with its earlier answers. */
export interface Turn {
  readonly item: AnnotationItem
  readonly answers: Answers
  readonly comment: string
  /** The service has stored these answers; they stay until they are replaced. */
  readonly isJudged?: true
  /** Why the service rejected it. */
  readonly refusal?: unknown
}

interface Turns {
  /** Undefined while loading, null when nothing is left. */
  readonly turn: Turn | null | undefined
  readonly error: unknown
  /** Whether an undo waits for requests under way. */
  readonly isUndoing: boolean
  readonly submit: (turn: Turn, scores: Input<'annotationQueues.submit'>['scores'], comment: string) => void
  readonly skip: (turn: Turn) => void
  readonly undo: () => void
  /** Keeps the typed answers in case another item is shown in between. */
  readonly keep: (draft: Turn) => void
  readonly retry: () => void
}

/** The turn after this one, loading or loaded. */
interface Ahead {
  readonly promise: Promise<Turn | null>
  value?: Turn | null
}

function aheadOf(promise: Promise<Turn | null>): Ahead {
  const prefetched: Ahead = { promise }
  promise
    .then((value) => {
      prefetched.value = value
    })
    // The caller that awaits the promise handles the error.
    .catch(() => {})
  return prefetched
}

export function useTurns(id: string, itemId: string | undefined): Turns {
  const client = useClient()
  const queries = useQueryClient()
  const toasts = useToasts()
  const [turn, setTurn] = useState<Turn | null>()
  const [error, setError] = useState<unknown>()
  const [isUndoing, setUndoing] = useState(false)
  const prefetched = useRef<Ahead>(undefined)
  /**
   * Requests in flight, by item. The person still holds these items, so they must not be claimed again, and an undo
   * waits for them.
   */
  const sending = useRef(new Map<string, Promise<void>>())
  const visible = useRef<Turn | null>(undefined)
  const draft = useRef<Turn>(undefined)
  const { ownPlace } = useSession()
  const keep = useCallback(
    (turn: Turn): void => {
      draft.current = turn
      keepAnswers(ownPlace, turn.item.id, turn)
    },
    [ownPlace],
  )
  const show = useCallback((next: Turn | null | undefined): void => {
    visible.current = next
    setTurn(next)
  }, [])
  const { take, takeAgain, reopen, finish } = useTurnCalls(id)
  /** Moves on to the next turn. */
  const takeAhead = useCallback(
    (turn: Turn | null): void => {
      const holding = turn === null ? [] : [turn.item.id, ...sending.current.keys()]
      prefetched.current = aheadOf(turn === null ? Promise.resolve(null) : take(holding))
    },
    [take],
  )

  const begin = useCallback(async (): Promise<void> => {
    setError(undefined)
    try {
      const first = itemId === undefined ? await take([]) : await reopen(itemId).catch(() => take([]))
      show(first)
      takeAhead(first)
    } catch (failure) {
      setError(failure)
    }
  }, [itemId, take, reopen, takeAhead, show])

  useEffect(() => void begin(), [begin])

  const goOn = async (): Promise<void> => {
    const following = prefetched.current
    try {
      if (following?.value === undefined) show(undefined)
      const previous = visible.current
      const next = following?.value ?? (await following?.promise) ?? null
      if (visible.current !== previous) {
        // A rejected item is back on the screen, and this one follows it.
        prefetched.current = aheadOf(Promise.resolve(next))
        return
      }
      show(next)
      takeAhead(next)
    } catch (failure) {
      setError(failure)
    }
  }

  const send = (
    turn: Turn,
    request: () => Promise<{ readonly progress: AnnotationProgress }>,
    { isSkip = false } = {},
  ): void => {
    const { id: itemId } = turn.item
    const sentNow = finish(turn, request)
      .then(() => forgetAnswers(ownPlace, itemId))
      .catch((refusal: unknown) => {
        // Its trace was deleted, so it would be shown again forever.
        if (isSkip && isGone(refusal)) return forgetAnswers(ownPlace, itemId)
        comeBack({ ...turn, refusal })
        // The queue's questions may have changed. If the session has ended, a read redirects to the sign-in.
        void refresh(queries, ['annotationQueues.get', 'evaluators.list'])
      })
      .finally(() => sending.current.delete(itemId))
    sending.current.set(itemId, sentNow)
    void goOn()
  }

  /** Shows a turn again; the person still holds the current one, which comes after it. */
  const comeBack = (undone: Turn): void => {
    const current = draft.current?.item.id === visible.current?.item.id ? draft.current : visible.current
    if (current != null && current.item.id !== undone.item.id)
      prefetched.current = aheadOf(Promise.resolve(current))
    else takeAhead(undone)
    show(undone)
  }

  const undo = (): void => {
    if (isUndoing) return
    setUndoing(true)
    Promise.all(sending.current.values())
      .then(() => takeAgain())
      .then(comeBack)
      .then(() => refresh(queries, ['annotationQueues.list', 'annotationQueues.items']))
      .catch(toasts.fail)
      .finally(() => setUndoing(false))
  }

  return {
    ...{ turn, error, isUndoing, keep },
    submit(turn, scores, comment) {
      const input = { id, itemId: turn.item.id, scores, ...(comment !== '' && { comment }) }
      const answers = Object.fromEntries(scores.map(({ evaluatorSlug, value }) => [evaluatorSlug, value]))
      send({ ...turn, answers, comment }, () => call(client, 'annotationQueues.submit', input))
    },
    skip: (turn) =>
      send(turn, () => call(client, 'annotationQueues.skip', { id, itemId: turn.item.id }), { isSkip: true }),
    undo,
    retry: () => void begin(),
  }
}

/** The calls about turns; each response contains the progress of the queue. */
function useTurnCalls(id: string) {
  const client = useClient()
  const queries = useQueryClient()
  const { ownPlace } = useSession()
  /** A submission reports newer progress than a response that was in flight. */
  const hasSent = useRef(false)
  const note = useCallback(
    (progress: AnnotationProgress): void => {
      queries.setQueryData(queryFor(client, 'annotationQueues.get', { id }).queryKey, (previous) =>
        previous === undefined ? undefined : { queue: { ...previous.queue, progress } },
      )
    },
    [client, queries, id],
  )

  const take = useCallback(
    async (heldIds: readonly string[]): Promise<Turn | null> => {
      const { item, progress } = await call(client, 'annotationQueues.next', { id, holding: [...heldIds] })
      // A submission has reported newer progress than this response.
      if (!hasSent.current) note(progress)
      if (item === null) return null
      await queries.prefetchQuery(queryFor(client, 'traces.get', { id: item.traceId }))
      return { item, ...readAnswers(ownPlace, item.id) }
    },
    [client, queries, id, note, ownPlace],
  )

  const takeAgain = useCallback(
    async (itemId?: string): Promise<Turn> => {
      const {
        item,
        scores,
        progress: now,
      } = await call(client, 'annotationQueues.undo', {
        id,
        ...(itemId !== undefined && { itemId }),
      })
      note(now)
      const { traceId } = item
      await queries.prefetchQuery(queryFor(client, 'traces.get', { id: traceId }))
      return {
        item,
        answers: Object.fromEntries(
          scores.map(({ evaluatorSlug, name, value }) => [evaluatorSlug ?? name, value]),
        ),
        comment: scores.find(({ comment }) => comment !== null)?.comment ?? '',
      }
    },
    [client, queries, id, note],
  )
  /** Shows an item the person has scored without undoing the scores, so that only looking changes nothing. */
  const reopen = useCallback(
    async (itemId: string): Promise<Turn> => {
      const item = await findItem(client, { id, itemId })
      if (item === undefined || !isJudgedByYou(item)) return takeAgain(itemId)
      const { trace } = await queries.fetchQuery({
        ...queryFor(client, 'traces.get', { id: item.traceId }),
        staleTime: 0,
      })
      return { item, ...answersOf(trace, item), isJudged: true }
    },
    [client, queries, id, takeAgain],
  )
  /** Submits or skips an item. */
  const finish = async (
    { item, isJudged }: Turn,
    request: () => Promise<{ readonly progress: AnnotationProgress }>,
  ): Promise<void> => {
    hasSent.current = true
    // If it was undone elsewhere or cannot be undone, the request itself reports the problem.
    if (isJudged) await call(client, 'annotationQueues.undo', { id, itemId: item.id }).catch(() => undefined)
    const { progress } = await request()
    note(progress)
    void refresh(queries, ['annotationQueues.list', 'annotationQueues.items', 'annotationQueues.agreement'])
  }
  return { take, takeAgain, reopen, finish }
}

const itemsPerPage = 1000

async function findItem(
  client: Operations,
  { id, itemId }: { readonly id: string; readonly itemId: string },
): Promise<AnnotationItem | undefined> {
  let cursor: string | undefined
  do {
    const input = { id, limit: itemsPerPage, ...(cursor !== undefined && { cursor }) }
    const { items, nextCursor } = await call(client, 'annotationQueues.items', input)
    const item = items.find((candidate) => candidate.id === itemId)
    if (item !== undefined) return item
    cursor = nextCursor
  } while (cursor !== undefined)
  return undefined
}

const isJudgedByYou = ({ turns }: AnnotationItem): boolean =>
  turns.some(({ annotator, status }) => annotator.isYou && status === 'judged')

const isGone = (error: unknown): boolean => error instanceof RequestFailed && error.status === 404
