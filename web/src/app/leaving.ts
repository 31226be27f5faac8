/**
 * What changes who somebody is, or where: it waits until the screen has been left. Its unsaved changes may keep it open, and
 * what it sends at its end, such as deletions that nobody has undone, belongs to the workspace and the person of before.
 */
import { useNavigate, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'

let nextStep: (() => void) | undefined

/** Leaves the screen, unless somebody stays for their unsaved changes, and then runs `step`, which leads on. */
export function useLeaveScreen(): (step: () => void) => void {
  const router = useRouter()
  return (step) => {
    nextStep = step
    void router.navigate({ to: '/leaving', search: {} })
  }
}

/** The step that waits; once. */
function takeNextStep(): (() => void) | undefined {
  const step = nextStep
  nextStep = undefined
  return step
}

/** Shows nothing: the screen before has been left, and the next step leads on. */
export function Leaving() {
  const navigate = useNavigate()
  useEffect(() => {
    const step = takeNextStep()
    if (step === undefined) void navigate({ to: '/', search: {}, replace: true })
    else step()
  }, [navigate])
  return null
}
