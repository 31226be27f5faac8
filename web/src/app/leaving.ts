/**
 * Changing the user or the workspace waits until the screen has been left. Unsaved changes may keep the screen open,
 * and requests it sends when it closes, such as pending deletions, belong to the previous workspace and user.
 */
import { useNavigate, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'

let nextStep: (() => void) | undefined

/** Leaves the screen, unless the user stays for unsaved changes, and then runs `step`, which navigates on. */
export function useLeaveScreen(): (step: () => void) => void {
  const router = useRouter()
  return (step) => {
    nextStep = step
    void router.navigate({ to: '/leaving', search: {} })
  }
}

/** Returns the waiting step, once. */
function takeNextStep(): (() => void) | undefined {
  const step = nextStep
  nextStep = undefined
  return step
}

/** Renders nothing: the previous screen has been left, and the next step navigates on. */
export function Leaving() {
  const navigate = useNavigate()
  useEffect(() => {
    const step = takeNextStep()
    if (step === undefined) void navigate({ to: '/', search: {}, replace: true })
    else step()
  }, [navigate])
  return null
}
