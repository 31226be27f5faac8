/** A warning to operators, above every settings tab, before recording stops for lack of space. */
import { useRead } from '../../app/api.ts'
import { classNames } from '../../ui/class-names.ts'

const refreshMs = 30_000

export function CapacityWarning() {
  const { data } = useRead('capacity.get', {}, { refreshMs })
  if (data?.capacity.warning === undefined) return null
  const { state, warning } = data.capacity
  return (
    <p
      role="alert"
      className={classNames(
        'shrink-0 border-b border-line px-4 py-2 text-sm',
        state === 'full' ? 'bg-bad-surface text-bad' : 'bg-warn-surface text-warn',
      )}
    >
      {warning}
    </p>
  )
}
