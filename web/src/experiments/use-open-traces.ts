import { useNavigate } from '@tanstack/react-router'
import { call, useClient } from '../app/api.ts'
import { rangeSince } from '../app/range/range.ts'
import { useToasts } from '../ui/overlay/toast.tsx'

/** Opens the trace list with all traces of an experiment: its range starts at the first trace. */
export function useOpenTraces(): (experimentId: string) => void {
  const client = useClient()
  const navigate = useNavigate()
  const toasts = useToasts()
  return (experimentId) => {
    call(client, 'traces.list', { experimentId, order: 'asc', limit: 1 })
      .then(({ traces: [first] }) => {
        const now = new Date()
        const range = rangeSince(first === undefined ? now : new Date(first.startTime), now)
        return navigate({ to: '/traces', search: { q: `experiment:${experimentId}`, range } })
      })
      .catch(toasts.fail)
  }
}
