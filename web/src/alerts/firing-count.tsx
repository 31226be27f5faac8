import { useRead } from '../app/api.ts'

/** The number of firing alerts, beside the link to the alerts; empty if none fires. */
export function FiringCount() {
  const alerts = useRead('alerts.list', {}, { refreshMs: 30_000 }).data?.alerts ?? []
  const count = alerts.filter(({ state }) => state === 'firing').length
  if (count === 0) return null
  return (
    <span
      title={`${count} firing`}
      className="numbers grid h-4 min-w-4 shrink-0 place-items-center rounded-sm bg-bad-surface px-1 text-2xs font-medium text-bad"
    >
      {count}
      <span className="sr-only"> firing</span>
    </span>
  )
}
