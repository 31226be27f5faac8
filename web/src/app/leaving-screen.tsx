import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { takeNextStep } from './leaving.ts'

/** Shows nothing: the screen before has been left, and the next step leads on. */
export function LeavingScreen() {
  const navigate = useNavigate()
  useEffect(() => {
    const step = takeNextStep()
    if (step === undefined) void navigate({ to: '/', search: {}, replace: true })
    else step()
  }, [navigate])
  return null
}
