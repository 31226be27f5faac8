import type { PromptVersion } from '@plumbline/sdk'
import { ArrowRight } from 'lucide-react'
import { useWatch } from 'react-hook-form'
import { type Output, useRead } from '../../app/api.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import type { InputProblem } from '../../ui/form/check-input.ts'
import { SelectField, TextField } from '../../ui/form/fields.tsx'
import { Form } from '../../ui/form/form.tsx'
import { type Form as FormOf, useForm } from '../../ui/form/use-form.ts'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { formatPercent } from '../../ui/text/format.ts'
import { useNow } from '../../ui/text/values.tsx'
import { numberIn } from '../prompt-usage.ts'
import { useRunningRollouts } from '../rollouts/use-rollouts.ts'
import { ReplayPanel } from './replay-panel.tsx'
import { isMovable, movableTags, productionTag, type TagHolders } from './tag-moves.ts'
import { useTagHolders } from './use-tag-holders.ts'
import { type TagMoveInput, useTagMoves } from './use-tag-moves.ts'
import { useVersion } from './use-version.ts'
import { VersionDiff } from './version-diff.tsx'

export interface PublishRequest {
  /** The tag to move; `production` by default. */
  readonly tag: string
  readonly to: string
}

interface PublishDialogProps {
  readonly slug: string
  /** As far as they are loaded. */
  readonly versions: readonly PromptVersion[]
  readonly request: PublishRequest | undefined
  readonly onClose: () => void
}

/** Confirms a tag move, and shows the changes and the affected applications. */
export function PublishDialog({ slug, versions, request, onClose }: PublishDialogProps) {
  return (
    <Dialog
      isOpen={request !== undefined}
      onClose={onClose}
      isWide
      title={request === undefined ? '' : `Publish ${request.to}`}
      description="Versions never change. A tag decides which one applications get."
    >
      {request !== undefined && (
        <PublishBody
          key={`${request.tag} ${request.to}`}
          slug={slug}
          versions={versions}
          request={request}
          onClose={onClose}
        />
      )}
    </Dialog>
  )
}

interface PublishBodyProps extends PublishDialogProps {
  readonly request: PublishRequest
}

/** The form, once the versions of the tags are known. */
function PublishBody(props: PublishBodyProps) {
  const { holders, error, refetch } = useTagHolders(props.slug)
  if (holders !== undefined) return <PublishForm {...props} holders={holders} />
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />
  return <SkeletonRows count={4} />
}

/** No tag can be a space. */
const another = ' '

interface Values {
  tagName: string
  newTagName: string
  message: string
}

const tagOf = ({ tagName, newTagName }: Pick<Values, 'tagName' | 'newTagName'>): string =>
  tagName === another ? newTagName.trim() : tagName

function checkTag(tag: string, holder: string | undefined, version: string): readonly InputProblem[] {
  const problem =
    tag === ''
      ? 'is required'
      : !isMovable(tag)
        ? 'this tag is managed by Plumbline'
        : holder === version
          ? `${version} already has this tag`
          : undefined
  return problem === undefined ? [] : [{ path: 'tag', problem }]
}

interface PublishFormProps extends PublishBodyProps {
  readonly holders: TagHolders
}

function PublishForm({ slug, versions, request, onClose, holders }: PublishFormProps) {
  const { move, protectedTags } = useTagMoves(slug, onClose)
  const { to } = request
  const form = useForm<Values, TagMoveInput>({
    initial: { tagName: request.tag, newTagName: '', message: '' },
    check: (values) => checkTag(tagOf(values), holders.get(tagOf(values)), to),
    toInput: (values) => ({
      tag: tagOf(values),
      from: holders.get(tagOf(values)),
      to,
      message: values.message.trim(),
    }),
    send: move,
    fieldOf: ({ tagName }) => ({ tag: tagName === another ? 'newTagName' : 'tagName' }),
  })
  const [tagName, newTagName] = useWatch({ control: form.control, name: ['tagName', 'newTagName'] })
  const tag = tagOf({ tagName, newTagName })
  const from = holders.get(tag)
  const isProtected = protectedTags.includes(tag)
  const before = useVersion(slug, from, versions)
  const after = useVersion(slug, to, versions).version
  return (
    <Form
      form={form}
      isSticky
      isCancelFocused
      onCancel={onClose}
      action={
        <span className="max-w-80 truncate">
          {isProtected ? 'Request to move' : 'Move'} {tag || 'the tag'} to {to}
        </span>
      }
    >
      <TagFields form={form} holders={holders} isNew={tagName === another} />
      {tag !== '' && isMovable(tag) && (
        <>
          <p className="flex flex-wrap items-center gap-2 text-base">
            <strong className="font-semibold break-all">{tag}</strong>
            <code className="max-w-64 truncate font-mono text-ink-2" title={from}>
              {from ?? 'no version'}
            </code>
            <ArrowRight aria-label="goes to" size={14} className="text-ink-3" />
            <code className="max-w-64 truncate font-mono font-semibold" title={to}>
              {to}
            </code>
          </p>
          {from === to ? (
            <p className="text-sm text-ink-2">{to} already has this tag.</p>
          ) : (
            <WhoIsConcerned slug={slug} tag={tag} from={from} />
          )}
        </>
      )}
      {from !== to && after !== undefined && (
        <section aria-label="What changes" className="flex flex-col gap-2">
          <h3 className="text-sm font-semibold">{from === undefined ? 'Resulting text' : 'What changes'}</h3>
          {before.error !== null ? (
            <ErrorState error={before.error} />
          ) : from !== undefined && before.version === undefined ? (
            <SkeletonRows count={4} />
          ) : (
            <VersionDiff before={before.version} after={after} />
          )}
        </section>
      )}
      {from !== to && after !== undefined && <ReplayPanel slug={slug} version={after} />}
      {isProtected && from !== to && (
        <TextField
          form={form}
          name="message"
          label="Reason for the move"
          hint={`${tag} is protected: it moves once an admin other than you approves it.`}
          dir="auto"
          maxLength={2000}
        />
      )}
    </Form>
  )
}

interface TagFieldsProps {
  readonly form: FormOf<Values>
  readonly holders: TagHolders
  readonly isNew: boolean
}

/** The tag to move: an existing one, or a new one by name. */
const TagFields = ({ form, holders, isNew }: TagFieldsProps) => (
  <div className="flex flex-wrap gap-3 *:w-52">
    <SelectField
      form={form}
      name="tagName"
      label="Tag"
      choices={[
        ...movableTags(holders).map((movable) => ({
          value: movable,
          label: movable,
          hint: holders.get(movable) ?? 'not on a version yet',
        })),
        { value: another, label: 'Another tag…' },
      ]}
    />
    {isNew && (
      <TextField
        form={form}
        name="newTagName"
        label="Name of the tag"
        isRequired
        autoFocus
        placeholder="staging"
        maxLength={128}
      />
    )}
  </div>
)

interface WhoProps {
  readonly slug: string
  readonly tag: string
  readonly from: string | undefined
}

const weekMs = 7 * 86_400_000

/** The applications that the move affects, and the recent use of the version that has the tag. */
function WhoIsConcerned({ slug, tag, from }: WhoProps) {
  const hour = Math.floor(useNow().getTime() / 3_600_000) * 3_600_000
  const use = useRead(
    'metrics.query',
    {
      measures: 'logs,users',
      dimensions: 'feature',
      filters: JSON.stringify({ promptSlug: slug, ...(from !== undefined && { promptVersion: from }) }),
      from: new Date(hour - weekMs).toISOString(),
    },
    { enabled: from !== undefined },
  )
  // The previous response is for another version.
  const isCounting = use.isPending || use.isPlaceholderData
  const rollout = useRunningRollouts(slug).find((each) => each.tag === tag)
  return (
    <div className="flex flex-col gap-1 rounded border border-line bg-sunken p-3 text-sm text-ink-2">
      <p>
        {tag === productionTag ? (
          <>
            Every application that fetches <code className="font-mono text-xs">{slug}</code> without naming a
            version or another tag gets it on its next fetch.
          </>
        ) : (
          <>
            Applications that fetch <code className="font-mono text-xs">{slug}</code> with the tag{' '}
            <strong className="break-all">{tag}</strong> get it on their next fetch; others do not.
          </>
        )}
      </p>
      {rollout !== undefined && (
        <p className="text-warn">
          {rollout.candidateVersion} is rolled out to {formatPercent(rollout.share)} of this tag. Moving the
          tag ends that rollout.
        </p>
      )}
      <p aria-busy={from !== undefined && isCounting}>
        {from === undefined
          ? `No version has this tag yet${tag === productionTag ? '. The prompt goes live.' : '.'}`
          : use.isError
            ? `The uses of ${from} could not be counted.`
            : isCounting
              ? 'Counting its uses…'
              : describeUse(from, use.data.rows)}
      </p>
    </div>
  )
}

/** Describes the uses of the last week, by feature. */
function describeUse(version: string, rows: Output<'metrics.query'>['rows']): string {
  const uses = rows.reduce((sum, row) => sum + numberIn(row, 'logs'), 0)
  if (uses === 0) return `${version} was not used in the last 7 days.`
  const features = rows.flatMap(({ feature }) => (feature ? [String(feature)] : []))
  const ending = features.length > 0 ? `, by ${features.join(', ')}` : ''
  return `${version} was used ${uses.toLocaleString('en-US')} ${uses === 1 ? 'time' : 'times'} in the last 7 days${ending}.`
}
