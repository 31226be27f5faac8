/** Short notices at the corner: what was done, with a way back for 10 seconds, and what failed. */
import { Toast } from '@base-ui/react/toast'
import { CircleAlert, CircleCheck, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { sentenceOf } from './error-state.tsx'

const undoMs = 10_000

export interface Toasts {
  /** Something was done; with `undo`, it can be taken back for 10 seconds. */
  done(title: string, options?: { readonly description?: string; readonly undo?: () => void }): void
  /** Something failed, with the sentence that the service answered. */
  fail(error: unknown): void
}

export function useToasts(): Toasts {
  const manager = Toast.useToastManager()
  return {
    done(title, { description, undo } = {}) {
      const id = manager.add({
        title,
        description,
        type: 'done',
        timeout: undo === undefined ? 5000 : undoMs,
        ...(undo && {
          actionProps: {
            children: 'Undo',
            onClick: () => {
              manager.close(id)
              undo()
            },
          },
        }),
      })
    },
    fail(error) {
      const { title, description } = sentenceOf(error)
      manager.add({ title, description, type: 'failed', priority: 'high', timeout: undoMs })
    },
  }
}

export function ToastProvider({ children }: { readonly children: ReactNode }) {
  return (
    <Toast.Provider limit={4}>
      {children}
      <Toast.Portal>
        <Toast.Viewport className="fixed right-4 bottom-4 z-50 flex w-90 max-w-[calc(100vw-2rem)] flex-col gap-2">
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function ToastList() {
  const { toasts } = Toast.useToastManager()
  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      className="floating p-3 transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0"
    >
      <Toast.Content className="flex items-start gap-3 text-sm">
        {toast.type === 'failed' ? (
          <CircleAlert aria-hidden size={16} className="mt-0.5 shrink-0 text-bad" />
        ) : (
          <CircleCheck aria-hidden size={16} className="mt-0.5 shrink-0 text-good" />
        )}
        <div className="min-w-0 flex-1">
          <Toast.Title className="font-medium" />
          <Toast.Description className="break-words text-ink-2" />
        </div>
        <Toast.Action className="shrink-0 font-medium text-accent-ink hover:underline" />
        {/* All are always seen whole here; the component hides it from readers until its stack is spread out. */}
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
