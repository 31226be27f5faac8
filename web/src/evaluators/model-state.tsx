/** Whether a model is available to evaluators: why its evaluations wait, and a test of its connection. */
import type { Connection } from '@plumbline/sdk'
import { CircleAlert, CircleCheck, PlugZap } from 'lucide-react'
import type { ReactNode } from 'react'
import { useChange, useRead } from '../app/api.ts'
import { useSession } from '../app/session.tsx'
import { Button } from '../ui/button.tsx'
import { sentenceOf } from '../ui/error-state.tsx'
import { exactNumber, formatDuration, formatMoney } from '../ui/text/format.ts'
import { asSentence } from './queue/waiting-reason.ts'

interface ModelStateProps {
  readonly connection: Connection
  readonly model: string
}

export function ModelState({ connection, model }: ModelStateProps) {
  const { may } = useSession()
  const groups = useRead('evaluations.list', { limit: 1 }).data?.waiting
  const group = groups?.find(
    (candidate) => candidate.connectionId === connection.id && candidate.model === model,
  )
  const test = useChange('connections.test', { showsErrors: true })
  const { spendMaxPerDay } = connection
  return (
    <section
      aria-label="Model"
      className="flex flex-wrap items-start gap-x-4 gap-y-2 rounded border border-line bg-sunken p-3 text-sm"
    >
      <div role="status" className="flex min-w-48 flex-1 flex-col gap-1">
        {test.isPending ? (
          <p className="text-ink-2">Testing {model}…</p>
        ) : test.isError ? (
          <Told isBad>{sentenceOf(test.error).description}</Told>
        ) : test.data === undefined ? (
          <p className="text-ink-2">
            {model} is checked for structured output before its first evaluation.{' '}
            {may('admin') ? 'Test the connection to check it now.' : 'Use the dry run to check it now.'}
          </p>
        ) : test.data.works ? (
          <Told>
            {test.data.model} answered after {formatDuration(test.data.durationMs)}.
          </Told>
        ) : (
          <Told isBad>{test.data.problem ?? 'No response.'}</Told>
        )}
        {test.data === undefined && !test.isError && group !== undefined && group.problem !== null && (
          <Told isBad>
            {asSentence(group.problem)} {exactNumber(group.waiting)}{' '}
            {group.waiting === 1 ? 'evaluation is' : 'evaluations are'} waiting for it.
          </Told>
        )}
        {spendMaxPerDay !== undefined && (
          <p className="text-xs text-ink-3">
            The connection has a limit of {formatMoney(spendMaxPerDay)} per day, so the model needs a known
            price.
          </p>
        )}
      </div>
      {may('admin') && (
        <Button
          size="small"
          icon={<PlugZap aria-hidden size={14} />}
          isBusy={test.isPending}
          onClick={() => test.mutate({ id: connection.id, model })}
        >
          Test the connection
        </Button>
      )}
    </section>
  )
}

function Told({ isBad = false, children }: { readonly isBad?: boolean; readonly children: ReactNode }) {
  const Icon = isBad ? CircleAlert : CircleCheck
  return (
    <p className={`flex items-start gap-2 break-words ${isBad ? 'text-bad' : 'text-good'}`}>
      <Icon aria-hidden size={16} className="mt-0.5 shrink-0" />
      <span className="min-w-0">{children}</span>
    </p>
  )
}
