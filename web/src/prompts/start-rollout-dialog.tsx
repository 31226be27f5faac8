import type { PromptVersion } from '@plumbline/sdk'
import { type FormEvent, useState } from 'react'
import { useChange } from '../app/api.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { FormActions } from '../ui/form-actions.tsx'
import { formatPercent } from '../ui/format.ts'
import { Select } from '../ui/select.tsx'
import { useToasts } from '../ui/toast.tsx'
import { AlertChoices } from './alert-choices.tsx'
import { readPercent } from './rollout-rules.ts'
import { ShareField } from './share-field.tsx'
import { holderOf, isMovable, productionTag } from './tag-moves.ts'
import { changedByRollouts } from './use-rollouts.ts'

interface StartRolloutDialogProps {
  readonly slug: string
  readonly versions: readonly PromptVersion[]
  /** The version that is looked at: most likely the candidate. */
  readonly chosen: string
  /** Tags of which a rollout runs already. */
  readonly taken: readonly string[]
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Begins a rollout: which version, to how many, and what takes it back. */
export function StartRolloutDialog(props: StartRolloutDialogProps) {
  return (
    <Dialog
      isOpen={props.isOpen}
      onClose={props.onClose}
      title="Start a rollout"
      description="The tag does not move. A percentage of its users get the candidate; each user always gets the same version."
    >
      {props.isOpen && <StartRolloutForm {...props} />}
    </Dialog>
  )
}

function StartRolloutForm({ slug, versions, chosen, taken, onClose }: StartRolloutDialogProps) {
  const tags = [...new Set(versions.flatMap((item) => item.tags))].filter(
    (tag) => isMovable(tag) && !taken.includes(tag),
  )
  const [tag, setTag] = useState(tags.includes(productionTag) ? productionTag : tags[0])
  const baseline = tag === undefined ? undefined : holderOf(tag, versions)
  const candidates = versions.filter(({ version }) => version !== baseline)
  const [candidate, setCandidate] = useState(
    candidates.find(({ version }) => version === chosen)?.version ?? candidates[0]?.version,
  )
  const isCandidate = candidates.some(({ version }) => version === candidate)
  const [percent, setPercent] = useState('10')
  const [alertIds, setAlertIds] = useState<readonly string[]>([])
  const toasts = useToasts()
  const create = useChange('rollouts.create', {
    refreshes: changedByRollouts,
    showsErrors: true,
    onDone: ({ rollout }) => {
      onClose()
      toasts.done(`${rollout.candidateVersion} goes to ${formatPercent(rollout.share)} of ${rollout.tag}`)
    },
  })
  const share = readPercent(percent)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (tag === undefined || candidate === undefined || share === undefined) return
    create.mutate({ promptSlug: slug, tag, candidateVersion: candidate, share, alertIds: [...alertIds] })
  }
  if (tag === undefined)
    return (
      <p className="text-sm text-ink-2">
        {taken.length === 0
          ? 'No version has a tag yet. Publish one first, so there is a baseline to compare with.'
          : 'Every tag already has a rollout. Promote one or roll it back first.'}
      </p>
    )
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <div className="grid grid-cols-2 gap-3 max-sm:grid-cols-1">
        <Field label="Tag" hint={`Currently ${baseline}.`}>
          <Select
            value={tag}
            onChange={setTag}
            choices={tags.map((choice) => ({
              value: choice,
              label: choice,
              hint: holderOf(choice, versions) ?? '',
            }))}
          />
        </Field>
        <Field label="Candidate" hint="It gets the tag when you promote it.">
          <Select
            value={isCandidate ? candidate : undefined}
            onChange={setCandidate}
            placeholder="Choose a version"
            choices={candidates.map(({ version, message }) => ({
              value: version,
              label: version,
              ...(message !== undefined && { hint: message }),
            }))}
          />
        </Field>
      </div>
      <ShareField text={percent} onChange={setPercent} />
      <AlertChoices chosen={alertIds} onChange={setAlertIds} />
      <p className="rounded border border-line bg-sunken p-3 text-xs text-ink-2">
        Users are assigned by the <code className="font-mono">targetingKey</code> your application sends with
        its fetch, such as a user id. Requests without one get {baseline}.
      </p>
      <FormActions
        action="Start rollout"
        onCancel={onClose}
        isDisabled={!isCandidate || share === undefined}
        isBusy={create.isPending}
        error={create.error}
        isSticky
      />
    </form>
  )
}
