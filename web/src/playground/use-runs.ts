import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { type Input, refresh } from '../app/api.ts'
import { isSignedOut } from '../app/session.tsx'
import { sentenceOf } from '../ui/error-state.tsx'
import { type Run, waiting, withEvent } from './run.ts'
import { streamRun } from './stream-run.ts'

export interface Job {
  /** The key of its run. */
  readonly key: string
  readonly input: Input<'playground.run'>
}

/** The maximum number of concurrent calls: providers limit them, and a browser has few connections per host. */
const atOnceMax = 4

/** Runs jobs and keeps their results by key. Leaving the screen stops them. */
export function useRuns() {
  const queries = useQueryClient()
  const [runs, setRuns] = useState<ReadonlyMap<string, Run>>(new Map())
  const queue = useRef<Job[]>([])
  const active = useRef(new Map<string, AbortController>())

  const change = useCallback((key: string, next: (run: Run) => Run): void => {
    setRuns((previous) => new Map(previous).set(key, next(previous.get(key) ?? waiting)))
  }, [])

  const begin = useCallback(
    async ({ key, input }: Job): Promise<void> => {
      const controller = new AbortController()
      active.current.set(key, controller)
      const isMine = (): boolean => active.current.get(key) === controller
      try {
        change(key, (run) => ({ ...run, state: 'running' }))
        for await (const event of streamRun(input, controller.signal)) {
          if (isMine()) change(key, (run) => withEvent(run, event))
        }
        const brokeOff = 'The response ended early.'
        if (isMine())
          change(key, (run) =>
            run.state === 'running' ? { ...run, state: 'failed', problem: brokeOff } : run,
          )
      } catch (error) {
        if (!isMine() || controller.signal.aborted) return
        // If the session has ended, a read redirects to the sign-in.
        if (isSignedOut(error)) void refresh(queries, ['connections.list'])
        const { description, requestId } = sentenceOf(error)
        change(key, (run) => ({ ...run, state: 'failed', problem: description, requestId }))
      } finally {
        if (isMine()) active.current.delete(key)
      }
    },
    [change, queries],
  )

  const pump = useCallback((): void => {
    while (active.current.size < atOnceMax) {
      const job = queue.current.shift()
      if (job === undefined) return
      void begin(job).then(pump)
    }
  }, [begin])

  /** Stops the runs whose key matches; their partial output stays. */
  const stop = useCallback(
    (isMeant: (key: string) => boolean = () => true): void => {
      const stopped = [...queue.current.map(({ key }) => key), ...active.current.keys()].filter(isMeant)
      queue.current = queue.current.filter(({ key }) => !isMeant(key))
      for (const key of stopped) {
        active.current.get(key)?.abort()
        active.current.delete(key)
        change(key, (run) => ({ ...run, state: 'stopped' }))
      }
      pump()
    },
    [change, pump],
  )

  /** Starts jobs; drops earlier runs with the same keys, and those matched by `replaces`. */
  const start = useCallback(
    (jobs: readonly Job[], replaces: (key: string) => boolean): void => {
      stop(replaces)
      setRuns(
        (previous) =>
          new Map([
            ...[...previous].filter(([key]) => !replaces(key)),
            ...jobs.map(({ key }) => [key, waiting] as const),
          ]),
      )
      for (const job of jobs) queue.current.push(job)
      pump()
    },
    [stop, pump],
  )

  const forget = useCallback((): void => {
    stop()
    setRuns(new Map())
  }, [stop])

  useEffect(() => {
    const { current } = active
    return () => {
      queue.current = []
      for (const controller of current.values()) controller.abort()
      current.clear()
    }
  }, [])

  return { runs, start, stop, forget }
}
