/**
 * What changes who somebody is, or where: it waits until the screen has been left. Its unsaved changes may keep it open, and
 * what it sends at its end, such as deletions that nobody has undone, belongs to the workspace and the person of before.
 */
import { useRouter } from '@tanstack/react-router'

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
export function takeNextStep(): (() => void) | undefined {
  const step = nextStep
  nextStep = undefined
  return step
}
