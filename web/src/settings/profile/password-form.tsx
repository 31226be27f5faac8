import { useQueryClient } from '@tanstack/react-query'
import { post } from '../../sign-in/auth.ts'
import { Button } from '../../ui/button.tsx'
import type { InputProblem } from '../../ui/form/check-input.ts'
import { TextField } from '../../ui/form/fields.tsx'
import { BareForm } from '../../ui/form/form.tsx'
import { useForm } from '../../ui/form/use-form.ts'
import { useToasts } from '../../ui/overlay/toast.tsx'
import { sessionsKey } from './session-list.tsx'

const initial = { currentPassword: '', newPassword: '' }

/** The minimum password length of the service. */
const passwordMin = 10

const check = ({ currentPassword, newPassword }: typeof initial): readonly InputProblem[] => [
  ...(currentPassword === '' ? [{ path: 'currentPassword', problem: 'must not be empty' }] : []),
  ...(newPassword.length < passwordMin
    ? [{ path: 'newPassword', problem: `must have at least ${passwordMin} characters` }]
    : []),
]

/** Changes the password, which ends the other sessions. */
export function PasswordForm() {
  const toasts = useToasts()
  const queries = useQueryClient()
  const form = useForm({
    initial,
    check,
    isClearedAfterwards: true,
    toInput: (values) => values,
    send: async (input) => {
      await post('/auth/change-password', input)
      toasts.done('Password changed. Your other sessions have ended')
      await queries.invalidateQueries({ queryKey: sessionsKey })
    },
  })
  const { errors, isSubmitting } = form.formState
  return (
    <BareForm form={form} className="flex flex-col gap-3">
      <TextField
        form={form}
        name="currentPassword"
        label="Current password"
        type="password"
        autoComplete="current-password"
      />
      <TextField
        form={form}
        name="newPassword"
        label="New password"
        type="password"
        autoComplete="new-password"
        maxLength={128}
      />
      <p className="text-sm text-ink-2">This signs you out on all other devices.</p>
      {errors.root?.message !== undefined && (
        <p role="alert" className="text-sm text-bad">
          {errors.root.message}
        </p>
      )}
      <div>
        <Button type="submit" isBusy={isSubmitting}>
          Change password
        </Button>
      </div>
    </BareForm>
  )
}
