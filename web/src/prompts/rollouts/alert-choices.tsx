import { Link } from '@tanstack/react-router'
import { useRead } from '../../app/api.ts'
import { LabelledCheckbox } from '../../ui/form/checkbox.tsx'
import { Group } from '../../ui/form/field.tsx'

interface AlertChoicesProps {
  readonly selection: readonly string[]
  readonly onChange: (ids: readonly string[]) => void
}

/** The alerts that trigger a rollback. A firing alert cannot start firing, so it is not offered. */
export function AlertChoices({ selection, onChange }: AlertChoicesProps) {
  const alerts = useRead('alerts.list', {}).data?.alerts
  return (
    <Group label="Roll back when one of these alerts fires">
      {alerts === undefined ? (
        <p className="text-sm text-ink-3">Loading…</p>
      ) : alerts.length === 0 ? (
        <p className="text-sm text-ink-2">
          There are no alerts yet.{' '}
          <Link to="/alerts/new" className="text-accent-ink hover:underline">
            Create one
          </Link>{' '}
          on the candidate’s errors or scores to roll back automatically.
        </p>
      ) : (
        <div className="flex max-h-44 flex-col gap-2 overflow-y-auto">
          {alerts.map(({ id, name, summary, state, isEnabled }) => (
            <LabelledCheckbox
              key={id}
              label={name}
              hint={
                state === 'firing'
                  ? 'This alert is already firing, so it cannot trigger a rollback.'
                  : isEnabled
                    ? summary
                    : 'This alert is disabled, so it cannot trigger a rollback.'
              }
              isChecked={selection.includes(id)}
              disabled={state === 'firing' && !selection.includes(id)}
              onChange={(isOn) =>
                onChange(isOn ? [...selection, id] : selection.filter((alertId) => alertId !== id))
              }
            />
          ))}
        </div>
      )}
    </Group>
  )
}
