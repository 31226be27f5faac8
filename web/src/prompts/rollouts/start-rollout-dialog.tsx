import type { PromptVersion } from '@plumbline/sdk'
import schema from '@plumbline/sdk/input-schemas?rollouts.create'
import { Controller, useWatch } from 'react-hook-form'
import { useOperationForm } from '../../app/use-operation-form.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import type { InputProblem } from '../../ui/form/check-input.ts'
import { SelectField } from '../../ui/form/fields.tsx'
import { Form } from '../../ui/form/form.tsx'
import { checkPercentage } from '../../ui/form/numbers.ts'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { useToasts } from '../../ui/overlay/toast.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { formatPercent } from '../../ui/text/format.ts'
import { isMovable, productionTag, type TagHolders } from '../versions/tag-moves.ts'
import { useTagHolders } from '../versions/use-tag-holders.ts'
import { AlertChoices } from './alert-choices.tsx'
import { ShareField } from './share-field.tsx'
import { changedByRollouts } from './use-rollouts.ts'

interface StartRolloutDialogProps {
  readonly slug: string
  readonly versions: readonly PromptVersion[]
  /** The version on the screen: most likely the candidate. */
  readonly openVersion: string
  /** Tags that already have a rollout. */
  readonly usedTags: readonly string[]
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Starts a rollout: which version, for what percentage of users, and which alerts roll it back. */
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

function StartRolloutForm(props: StartRolloutDialogProps) {
  const { slug, usedTags } = props
  const { holders, error, refetch } = useTagHolders(slug)
  if (holders === undefined)
    return error === null ? (
      <SkeletonRows count={4} />
    ) : (
      <ErrorState error={error} onRetry={() => void refetch()} />
    )
  const tags = [...holders.keys()].filter((tag) => isMovable(tag) && !usedTags.includes(tag))
  if (tags.length > 0) return <RolloutForm {...props} holders={holders} tags={tags} />
  return (
    <p className="text-sm text-ink-2">
      {usedTags.length === 0
        ? 'No version has a tag yet. Publish one first, so there is a baseline to compare with.'
        : 'Every tag already has a rollout. Promote one or roll it back first.'}
    </p>
  )
}

function RolloutForm({
  slug,
  versions,
  openVersion,
  holders,
  tags,
  onClose,
}: StartRolloutDialogProps & { readonly holders: TagHolders; readonly tags: readonly string[] }) {
  const toasts = useToasts()
  const candidatesFor = (tag: string) => versions.filter(({ version }) => version !== holders.get(tag))
  const firstTag = tags.includes(productionTag) ? productionTag : (tags[0] ?? '')
  const firstCandidates = candidatesFor(firstTag)
  const form = useOperationForm('rollouts.create', {
    schema,
    initial: {
      tag: firstTag,
      candidateVersion:
        firstCandidates.find(({ version }) => version === openVersion)?.version ??
        firstCandidates[0]?.version,
      share: 0.1 as number | undefined,
      alertIds: [] as readonly string[],
    },
    check: ({ tag, candidateVersion, share }): readonly InputProblem[] => [
      ...(candidatesFor(tag).some(({ version }) => version === candidateVersion)
        ? []
        : [{ path: 'candidateVersion', problem: 'is required' }]),
      ...checkPercentage('share', share),
    ],
    toInput: ({ candidateVersion = '', share = Number.NaN, alertIds, tag }) => ({
      promptSlug: slug,
      tag,
      candidateVersion,
      share,
      alertIds: [...alertIds],
    }),
    refreshes: changedByRollouts,
    onDone: ({ rollout }) => {
      onClose()
      toasts.done(`${rollout.candidateVersion} goes to ${formatPercent(rollout.share)} of ${rollout.tag}`)
    },
  })
  const tag = useWatch({ control: form.control, name: 'tag' })
  const baseline = holders.get(tag)
  return (
    <Form form={form} action="Start rollout" onCancel={onClose} isSticky>
      <div className="grid grid-cols-2 gap-3 max-sm:grid-cols-1">
        <SelectField
          form={form}
          name="tag"
          label="Tag"
          hint={`Currently ${baseline}.`}
          choices={tags.map((value) => ({ value, label: value, hint: holders.get(value) ?? '' }))}
        />
        <SelectField
          form={form}
          name="candidateVersion"
          label="Candidate"
          hint="It gets the tag when you promote it."
          placeholder="Choose a version"
          choices={candidatesFor(tag).map(({ version, message }) => ({
            value: version,
            label: version,
            ...(message !== undefined && { hint: message }),
          }))}
        />
      </div>
      <ShareField form={form} />
      <Controller
        control={form.control}
        name="alertIds"
        render={({ field: { value, onChange } }) => <AlertChoices selection={value} onChange={onChange} />}
      />
      <p className="rounded border border-line bg-sunken p-3 text-xs text-ink-2">
        Users are assigned by the <code className="font-mono">targetingKey</code> your application sends with
        its fetch, such as a user id. Requests without one get {baseline}.
      </p>
    </Form>
  )
}
