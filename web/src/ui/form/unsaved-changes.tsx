/** Reports to a dialog that its form has changes, so that a stray Esc or outside click does not discard them. */
import { createContext, type RefObject, useContext, useEffect } from 'react'

/** The context of the surrounding dialog; null outside of dialogs. */
export const UnsavedChanges = createContext<RefObject<boolean> | null>(null)

export function useUnsavedChanges(hasChanges: boolean): void {
  const dialog = useContext(UnsavedChanges)
  useEffect(() => {
    if (dialog === null) return
    dialog.current = hasChanges
    return () => {
      dialog.current = false
    }
  }, [dialog, hasChanges])
}
