/** Runs the latest recorded calls on a version before it is published. */
import type { PromptVersion } from '@plumbline/sdk'
import { Link } from '@tanstack/react-router'
import { Play } from 'lucide-react'
import { useState } from 'react'
import { useChange, useRead } from '../../app/api.ts'
import { Button } from '../../ui/button.tsx'
import { sentenceOf } from '../../ui/error-state.tsx'
import { LabelledCheckbox } from '../../ui/form/checkbox.tsx'
import { Field, Group } from '../../ui/form/field.tsx'
import { Select } from '../../ui/form/select.tsx'
import { ReplayList } from './replay-list.tsx'

interface ReplayPanelProps {
  readonly slug: string
  readonly version: PromptVersion
}

const counts = [5, 10, 20, 50].map((count) => ({ value: String(count), label: `The latest ${count}` }))
const evaluatorsMax = 10

export function ReplayPanel({ slug, version }: ReplayPanelProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <section aria-label="Replay" className="flex flex-col gap-3 rounded border border-line p-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="min-w-60 flex-1">
          <h3 className="text-sm font-semibold">Replay</h3>
          <p className="text-sm text-ink-2">
            Run the latest recorded calls on {version.version} and compare. Nothing is stored, and no tag
            moves.
          </p>
        </div>
        {!isOpen && <Button onClick={() => setOpen(true)}>Set up a replay</Button>}
      </div>
      {isOpen && <ReplaySetup slug={slug} version={version} />}
    </section>
  )
}

function ReplaySetup({ slug, version }: ReplayPanelProps) {
  const { provider, model } = version.model
  const replays = useChange('replays.create', { showsErrors: true })
  const connectionList = useRead('connections.list', {})
  const evaluatorList = useRead('evaluators.list', {})
  const connections = connectionList.data?.connections
  const evaluators = evaluatorList.data?.evaluators.filter(({ kind }) => kind !== 'human')
  const error = connectionList.error ?? evaluatorList.error ?? replays.error
  const [count, setCount] = useState('10')
  const [selectedConnection, setConnection] = useState<string>()
  const [selectedSlugs, setSlugs] = useState<readonly string[]>([])
  const connection =
    connections?.find(({ id }) => id === selectedConnection) ??
    connections?.find((candidate) => candidate.provider === provider) ??
    connections?.[0]
  const fallbackModel = model === '' ? connection?.models[0] : undefined
  const run = (): void => {
    if (connection === undefined) return
    replays.mutate({
      slug,
      version: version.version,
      connectionId: connection.id,
      limit: Number(count),
      evaluatorSlugs: [...selectedSlugs],
      ...(fallbackModel !== undefined && { model: fallbackModel }),
    })
  }
  if (connections?.length === 0)
    return (
      <p className="text-sm text-ink-2">
        There is no LLM connection yet. An admin can add one in the{' '}
        <Link to="/settings/connections" className="text-accent-ink hover:underline">
          settings
        </Link>
        .
      </p>
    )
  return (
    <>
      <div className="flex flex-wrap items-end gap-3">
        <Field label="Calls">
          <Select className="w-36" value={count} onChange={setCount} choices={counts} />
        </Field>
        <Field label="Connection">
          <Select
            className="w-48"
            value={connection?.id ?? ''}
            onChange={setConnection}
            choices={(connections ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          />
        </Field>
        <Button
          icon={<Play aria-hidden size={14} />}
          isBusy={replays.isPending}
          disabled={connection === undefined}
          onClick={run}
        >
          Run the replay
        </Button>
      </div>
      {evaluators !== undefined && evaluators.length > 0 && (
        <Group label="Evaluators that judge both outputs">
          <div className="flex max-h-28 flex-wrap gap-x-4 gap-y-1.5 overflow-y-auto">
            {evaluators.map((evaluator) => (
              <LabelledCheckbox
                key={evaluator.slug}
                label={evaluator.name}
                isChecked={selectedSlugs.includes(evaluator.slug)}
                disabled={selectedSlugs.length >= evaluatorsMax && !selectedSlugs.includes(evaluator.slug)}
                onChange={(isChecked) =>
                  setSlugs((previous) => [
                    ...previous.filter((slugBefore) => slugBefore !== evaluator.slug),
                    ...(isChecked ? [evaluator.slug] : []),
                  ])
                }
              />
            ))}
          </div>
        </Group>
      )}
      <p className="text-xs text-ink-3">
        The provider of {model || fallbackModel || 'the model'} bills these calls. Evaluators that call a
        model cost extra.
      </p>
      <div aria-live="polite">
        {error !== null ? (
          <p role="alert" className="text-sm break-words text-bad">
            {sentenceOf(error).description}
          </p>
        ) : replays.isPending ? (
          <p className="text-sm text-ink-2">Running the calls…</p>
        ) : (
          replays.data !== undefined && <ReplayList replays={replays.data.replays} />
        )}
      </div>
    </>
  )
}
