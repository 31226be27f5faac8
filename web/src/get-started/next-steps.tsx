/** The next steps after the first trace, with those already done. */
import { Link } from '@tanstack/react-router'
import { Circle, CircleCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { useRead } from '../app/api.ts'
import { useSession } from '../app/session.tsx'

export function NextSteps() {
  const { may } = useSession()
  const prompts = useRead('prompts.list', { limit: 1 })
  const evaluators = useRead('evaluators.list', {})
  const alerts = useRead('alerts.list', {})
  return (
    <section aria-label="Next steps" className="flex flex-col gap-2 text-sm">
      <h3 className="font-medium">What to do next</h3>
      <ul className="flex flex-col gap-2">
        <Step
          isDone={(prompts.data?.prompts.length ?? 0) > 0}
          note="Change it without a release, and see what each version does."
        >
          <Link to="/prompts" className="text-accent-ink underline">
            Create a prompt
          </Link>
        </Step>
        <Step
          isDone={(evaluators.data?.evaluators.length ?? 0) > 0}
          note="Scores the output of your application, with rules or a model."
        >
          <Link to="/evaluators/new" className="text-accent-ink underline">
            Add an evaluator
          </Link>
        </Step>
        {may('admin') && <InviteStep />}
        <Step
          isDone={(alerts.data?.alerts.length ?? 0) > 0}
          note="Notifies you when traces fail, slow down or cost too much."
        >
          <Link to="/alerts/new" className="text-accent-ink underline">
            Set an alert
          </Link>
        </Step>
      </ul>
    </section>
  )
}

function InviteStep() {
  const members = useRead('members.list', {})
  const invitations = useRead('invitations.list', {})
  const others = (members.data?.members.length ?? 1) - 1 + (invitations.data?.invitations.length ?? 0)
  return (
    <Step isDone={others > 0} note="They see the same traces, and score them with you.">
      <Link to="/settings/members" className="text-accent-ink underline">
        Invite your team
      </Link>
    </Step>
  )
}

interface StepProps {
  readonly isDone: boolean
  readonly note: string
  readonly children: ReactNode
}

function Step({ isDone, note, children }: StepProps) {
  const Mark = isDone ? CircleCheck : Circle
  return (
    <li className="flex items-start gap-2">
      <Mark
        role="img"
        aria-label={isDone ? 'Done' : 'To do'}
        size={16}
        className={isDone ? 'mt-0.5 shrink-0 text-good' : 'mt-0.5 shrink-0 text-ink-3'}
      />
      <span>
        {children}
        <span className="block text-ink-2">{note}</span>
      </span>
    </li>
  )
}
