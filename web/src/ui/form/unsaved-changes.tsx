/** Tells a dialog that its form has changes, so that a stray Esc or a click beside it does not throw them away. */
import { createContext, type RefObject, useContext, useEffect } from 'react'

/** Of the dialog around a form; null outside of dialogs. */
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
