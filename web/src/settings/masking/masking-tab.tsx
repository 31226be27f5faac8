/** The rules that mask personal data before it is stored, and a rehearsal on stored traces. */
import { EyeOff, Plus } from 'lucide-react'
import { useState } from 'react'
import { useChange, useRead, useReadLatest } from '../../app/api.ts'
import { useSession } from '../../app/session.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { contestedText, isSame } from '../../ui/form/changed-fields.ts'
import { PageGuard } from '../../ui/form/page-guard.tsx'
import { useToasts } from '../../ui/overlay/toast.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import {
  type DraftRule,
  detectorLabels,
  type MaskingRule,
  newRule,
  problemIn,
  toDraft,
  toRule,
} from './draft-rule.ts'
import { RehearsalBar } from './rehearsal-bar.tsx'
import { RuleList } from './rule-list.tsx'

export function MaskingTab() {
  const { may } = useSession()
  const isEditable = may('admin')
  const toasts = useToasts()
  const rulesQuery = useRead('masking.get', {})
  const readLatest = useReadLatest()
  const [draft, setDraft] = useState<readonly DraftRule[]>()
  /** The base of the draft; after a conflict was shown, the rules that another user has saved. */
  const [base, setBase] = useState<readonly MaskingRule[]>([])
  const [isContested, setContested] = useState(false)
  const rehearsal = useChange('masking.rehearse', { showsErrors: true })
  const update = useChange('masking.update', {
    refreshes: ['masking.get'],
    showsErrors: true,
    onDone: ({ rules }) => {
      setDraft(undefined)
      setContested(false)
      toasts.done(rules.length === 0 ? 'Nothing is masked' : 'Masking rules saved')
    },
  })
  const [drafts, setDrafts] = useState<{ readonly source: unknown; readonly rules: readonly DraftRule[] }>()
  if (rulesQuery.isError && rulesQuery.data === undefined)
    return <ErrorState error={rulesQuery.error} onRetry={() => void rulesQuery.refetch()} />
  if (rulesQuery.data === undefined) return <Skeleton className="m-4 h-40" />
  // Memoized until the rules change, so that a rule keeps its key between renders.
  if (drafts?.source !== rulesQuery.data)
    setDrafts({ source: rulesQuery.data, rules: rulesQuery.data.rules.map(toDraft) })
  const rules = draft ?? drafts?.rules ?? []
  const change = (next: readonly DraftRule[]): void => {
    if (draft === undefined) setBase(rulesQuery.data.rules)
    setDraft(next)
    rehearsal.reset()
    update.reset()
  }
  const failure = update.error ?? rehearsal.error
  const problem = failure === null ? undefined : problemIn(failure.message)
  const toRules = () => rules.map(toRule)
  const discard = (): void => {
    setDraft(undefined)
    setContested(false)
    rehearsal.reset()
    update.reset()
  }
  const save = async (): Promise<void> => {
    try {
      const latest = (await readLatest('masking.get', {})).rules
      const isOverwriting = !isSame(latest, base) && !isSame(latest, toRules())
      setContested(isOverwriting)
      if (isOverwriting) setBase(latest)
      else update.mutate({ rules: toRules() })
    } catch (error) {
      toasts.fail(error)
    }
  }
  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-y-auto">
      <div className="flex max-w-3xl flex-col gap-4 p-4">
        <p className="prose-width text-sm text-ink-2">
          Rules mask personal data in traces, logs, scores and spans before anything is written. They apply in
          order to new data; stored traces do not change.
        </p>
        {rules.length === 0 && <NoRules isEditable={isEditable} onChange={change} />}
        <RuleList {...{ rules, isEditable, problem }} rehearsals={rehearsal.data?.rules} onChange={change} />
        {isEditable && (
          <div>
            <Button icon={<Plus aria-hidden size={14} />} onClick={() => change([...rules, newRule()])}>
              Add a rule
            </Button>
          </div>
        )}
        {isContested && (
          <p role="alert" className="text-sm text-bad">
            {contestedText}
          </p>
        )}
        {failure !== null && problem === undefined && (
          <p role="alert" className="text-sm text-bad">
            {failure.message}
          </p>
        )}
      </div>
      {isEditable && (
        <RehearsalBar
          rehearsal={rehearsal.data}
          isTrying={rehearsal.isPending}
          canTry={rules.length > 0}
          onTry={(traces) => rehearsal.mutate({ rules: toRules(), traces })}
        >
          {draft !== undefined && (
            <span className="ml-auto flex gap-2">
              <Button onClick={discard}>Discard</Button>
              <Button look="primary" isBusy={update.isPending} onClick={() => void save()}>
                Save
              </Button>
            </span>
          )}
        </RehearsalBar>
      )}
      <PageGuard hasChanges={draft !== undefined} />
    </div>
  )
}

function NoRules({
  isEditable,
  onChange,
}: {
  readonly isEditable: boolean
  readonly onChange: (rules: readonly DraftRule[]) => void
}) {
  // Safe: these are the keys of the labels.
  const detectors = Object.keys(detectorLabels) as DraftRule['detector'][]
  return (
    <EmptyState
      icon={<EyeOff size={20} />}
      title="Nothing is masked"
      action={
        isEditable && (
          <Button onClick={() => onChange(detectors.map((detector) => newRule(detector)))}>
            Start with all detectors
          </Button>
        )
      }
    >
      Rules find e-mail addresses, card numbers, API keys and anything else you define, and replace it.
    </EmptyState>
  )
}
