/**
 * Toasts in the corner: finished actions with an undo for 10 seconds, failures, and running tasks. The component that
 * renders them loads late; earlier toasts wait for it.
 */
import {
  createContext,
  type ReactNode,
  Suspense,
  useCallback,
  useContext,
  useMemo,
  useRef,
  useState,
} from 'react'
import { sentenceOf } from '../error-state.tsx'
import { late } from '../late.ts'

const ToastList = late(async () => (await import('./toast-list.tsx')).ToastList)

export interface Notice {
  readonly id: string
  readonly type: 'done' | 'failed' | 'running'
  readonly title: string
  readonly description: string | undefined
  /** A button in it. */
  readonly action: { readonly label: string; readonly run: () => void } | undefined
}

export interface Toasts {
  /** An action has finished; with `undo`, it can be undone for 10 seconds. */
  done(title: string, options?: { readonly description?: string; readonly undo?: () => void }): void
  /** An action failed, with the service's message. */
  fail(error: unknown): void
  /** An action was not attempted, with the reason. */
  reject(title: string, description: string): void
  /** Another user has changed the same data, which can be overwritten. */
  conflict(title: string, options: { readonly description: string; readonly overwrite: () => void }): void
  /** A long task, which can be cancelled; the toast stays until it is closed. */
  running(title: string, options: { readonly cancel: () => void }): RunningNotice
}

export interface RunningNotice {
  /** The progress. */
  report(description: string): void
  close(): void
}

const ToastsContext = createContext<Toasts | undefined>(undefined)

export function useToasts(): Toasts {
  const toasts = useContext(ToastsContext)
  if (toasts === undefined) throw new Error('Toasts need a ToastProvider above them.')
  return toasts
}

export function ToastProvider({ children }: { readonly children: ReactNode }) {
  const [notices, setNotices] = useState<readonly Notice[]>([])
  const lastId = useRef(0)
  const forget = useCallback(
    (id: string) => setNotices((previous) => previous.filter((notice) => notice.id !== id)),
    [],
  )
  const toasts = useMemo<Toasts>(() => {
    const add = (notice: Omit<Notice, 'id'>): string => {
      // Not a random UUID, which is unavailable over plain HTTP.
      const id = String(++lastId.current)
      setNotices((previous) => [...previous, { ...notice, id }])
      return id
    }
    return {
      done: (title, { description, undo } = {}) => {
        add({ type: 'done', title, description, action: undo && { label: 'Undo', run: undo } })
      },
      fail: (error) => {
        const { title, description } = sentenceOf(error)
        add({ type: 'failed', title, description, action: undefined })
      },
      reject: (title, description) => {
        add({ type: 'failed', title, description, action: undefined })
      },
      conflict: (title, { description, overwrite }) => {
        add({ type: 'failed', title, description, action: { label: 'Overwrite', run: overwrite } })
      },
      running: (title, { cancel }) => {
        const action = { label: 'Cancel', run: cancel }
        const id = add({ type: 'running', title, description: undefined, action })
        return {
          report: (description) =>
            setNotices((previous) =>
              previous.map((notice) => (notice.id === id ? { ...notice, description } : notice)),
            ),
          close: () => forget(id),
        }
      },
    }
  }, [forget])
  return (
    <ToastsContext value={toasts}>
      {children}
      <Suspense>
        <ToastList notices={notices} onGone={forget} />
      </Suspense>
    </ToastsContext>
  )
}
