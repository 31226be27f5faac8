/** Renders the toasts; loaded late. */
import { Toast } from '@base-ui/react/toast'
import { CircleAlert, CircleCheck, Download, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { Notice } from './toast.tsx'

const noticeMs = 5000
/** For failures, and for actions that can be undone. */
const longNoticeMs = 10_000

interface ToastListProps {
  readonly notices: readonly Notice[]
  /** Called when a toast was dismissed or has expired. */
  readonly onGone: (id: string) => void
}

export function ToastList({ notices, onGone }: ToastListProps) {
  return (
    <Toast.Provider limit={4}>
      <Shown notices={notices} onGone={onGone} />
      <Toast.Portal>
        <Toast.Viewport className="fixed right-4 bottom-4 z-50 flex w-90 max-w-[calc(100vw-2rem)] flex-col gap-2">
          <Toasts />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

/** Passes each toast and its updates to the list. */
function Shown({ notices, onGone }: ToastListProps) {
  const { add, update, close } = Toast.useToastManager()
  const visibleNotices = useRef(new Map<string, Notice>())
  useEffect(() => {
    const ids = new Set(notices.map(({ id }) => id))
    for (const id of visibleNotices.current.keys())
      if (!ids.has(id)) {
        visibleNotices.current.delete(id)
        close(id)
      }
    for (const notice of notices) {
      const { id, type, title, description, action } = notice
      const previous = visibleNotices.current.get(id)
      visibleNotices.current.set(id, notice)
      if (previous !== undefined) {
        if (previous !== notice) update(id, { description })
        continue
      }
      add({
        id,
        type,
        title,
        description,
        priority: type === 'failed' ? 'high' : 'low',
        timeout: timeoutOf(notice),
        onRemove: () => onGone(id),
        ...(action && {
          actionProps: {
            children: action.label,
            onClick: () => {
              close(id)
              action.run()
            },
          },
        }),
      })
    }
  }, [notices, add, update, close, onGone])
  return null
}

/** Toasts of running tasks do not expire. */
function timeoutOf({ type, action }: Notice): number {
  if (type === 'running') return 0
  return type === 'failed' || action !== undefined ? longNoticeMs : noticeMs
}

function ToastIcon({ type }: { readonly type: string | undefined }) {
  if (type === 'failed') return <CircleAlert aria-hidden size={16} className="mt-0.5 shrink-0 text-bad" />
  if (type === 'running') return <Download aria-hidden size={16} className="mt-0.5 shrink-0 text-ink-3" />
  return <CircleCheck aria-hidden size={16} className="mt-0.5 shrink-0 text-good" />
}

function Toasts() {
  const { toasts } = Toast.useToastManager()
  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      // The component hides failure toasts and their buttons from screen readers until the keyboard reaches them; its alert
      // has announced them by then.
      aria-hidden={false}
      aria-live={toast.priority === 'high' ? 'off' : undefined}
      className="floating p-3 transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0"
    >
      <Toast.Content className="flex items-start gap-3 text-sm">
        <ToastIcon type={toast.type} />
        <div className="min-w-0 flex-1">
          <Toast.Title className="font-medium" />
          <Toast.Description className="break-words text-ink-2" />
        </div>
        <Toast.Action className="shrink-0 font-medium text-accent-ink hover:underline" />
        {/* All toasts are always fully visible here; the component hides them from screen readers until its stack is expanded. */}
        <Toast.Close
          aria-label="Dismiss"
          aria-hidden={false}
          className="shrink-0 rounded-sm text-ink-3 hover:text-ink"
        >
          <X aria-hidden size={16} />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ))
}
