/** The retention rules; the records they would delete are counted before they are saved. */
import { type ReactNode, useState } from 'react'
import { useChange, useRead, useReadLatest } from '../../app/api.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { contestedText } from '../../ui/form/changed-fields.ts'
import { PageGuard } from '../../ui/form/page-guard.tsx'
import { ConfirmDialog } from '../../ui/overlay/dialog.tsx'
import { useToasts } from '../../ui/overlay/toast.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { DaysField } from './days-field.tsx'
import { RetentionCounts } from './retention-counts.tsx'
import { isPossible, mergeDraft, type RetentionDraft, toChange, toDraft } from './retention-rules.ts'

export function RetentionForm({ isEditable }: { readonly isEditable: boolean }) {
  const retention = useRead('retention.get', {})
  const readLatest = useReadLatest()
  const [edited, setEdited] = useState<EditedRules>()
  const toasts = useToasts()
  const preview = useChange('retention.preview', {})
  const update = useChange('retention.update', {
    refreshes: ['retention.get'],
    onDone: () => {
      setEdited(undefined)
      preview.reset()
      toasts.done('Retention saved')
    },
  })
  if (retention.isError && retention.data === undefined)
    return <ErrorState error={retention.error} onRetry={() => void retention.refetch()} />
  if (retention.data === undefined) return <Skeleton className="h-8 w-full" />
  const saved = toDraft(retention.data)
  const { draft, base, isContested = false } = edited ?? { draft: saved, base: saved }
  const isChanged = JSON.stringify(draft) !== JSON.stringify(base)
  const change = (next: Partial<RetentionDraft>): void => setEdited({ base, draft: { ...draft, ...next } })
  /**
   * Applies the draft's changes to the current rules; a rule that another user has changed too is overwritten only
   * after the form has shown the conflict.
   */
  const sendChange = async (send: (change: ReturnType<typeof toChange>) => void): Promise<void> => {
    try {
      const latest = toDraft(await readLatest('retention.get', {}))
      const merged = mergeDraft(draft, base, latest)
      setEdited({ ...merged, base: latest })
      if (merged.isContested) preview.reset()
      else send(toChange(merged.draft, latest))
    } catch (error) {
      toasts.fail(error)
    }
  }
  return (
    <form
      className="flex flex-col gap-6"
      onSubmit={(event) => {
        event.preventDefault()
        void sendChange(preview.mutate)
      }}
    >
      <TraceFields draft={draft} isEditable={isEditable} onChange={change} />
      <RecordFields draft={draft} isEditable={isEditable} onChange={change} />
      {isContested && (
        <p role="alert" className="text-sm text-bad">
          {contestedText}
        </p>
      )}
      {isEditable && isChanged && isPossible(draft) && (
        <div className="flex gap-2">
          <Button type="submit" look="primary" isBusy={preview.isPending}>
            Save…
          </Button>
          <Button onClick={() => setEdited(undefined)}>Cancel</Button>
        </div>
      )}
      <ConfirmDialog
        isOpen={preview.data !== undefined}
        onClose={() => preview.reset()}
        title="Save these retention rules?"
        action={(preview.data?.traces ?? 0) > 0 ? 'Save and delete' : 'Save'}
        isBusy={update.isPending}
        onConfirm={() => void sendChange(update.mutate)}
      >
        {preview.data !== undefined && <RetentionCounts preview={preview.data} />}
      </ConfirmDialog>
      <PageGuard hasChanges={isChanged} />
    </form>
  )
}

interface EditedRules {
  readonly draft: RetentionDraft
  /** The base of the draft. */
  readonly base: RetentionDraft
  readonly isContested?: boolean
}

interface FieldsProps {
  readonly draft: RetentionDraft
  readonly isEditable: boolean
  readonly onChange: (next: Partial<RetentionDraft>) => void
}

function TraceFields({ draft, isEditable, onChange }: FieldsProps) {
  const features = useRead('features.list', {}).data?.features ?? []
  const facets = useRead('traces.facets', { fields: 'environment', limit: 100 }).data?.facets ?? []
  const environments = new Set([
    ...(facets[0]?.values.map(({ value }) => value) ?? []),
    ...draft.environments.map(({ environment }) => environment),
  ])
  const changeFeature = (featureSlug: string, days: string): void =>
    onChange({ features: withRule(draft.features, { featureSlug, days }, 'featureSlug') })
  const changeEnvironment = (environment: string, days: string): void =>
    onChange({ environments: withRule(draft.environments, { environment, days }, 'environment') })
  return (
    <>
      <Fields legend="Traces with their logs and scores, in days">
        <DaysField
          label="All traces"
          days={draft.days}
          isEditable={isEditable}
          onChange={(days) => onChange({ days })}
        />
      </Fields>
      {environments.size > 0 && (
        <Fields legend="By environment, in days">
          {[...environments].toSorted().map((environment) => (
            <DaysField
              key={environment}
              label={environment}
              placeholder={
                draft.environments.some((rule) => rule.environment === environment)
                  ? 'Forever'
                  : 'Same as all traces'
              }
              days={draft.environments.find((rule) => rule.environment === environment)?.days ?? ''}
              isEditable={isEditable}
              onChange={(days) => changeEnvironment(environment, days)}
            />
          ))}
        </Fields>
      )}
      {features.length > 0 && (
        <Fields legend="By feature, in any environment, in days">
          {features.map(({ slug, name }) => (
            <DaysField
              key={slug}
              label={name}
              placeholder={
                draft.features.some(({ featureSlug }) => featureSlug === slug)
                  ? 'Forever'
                  : 'By the rules above'
              }
              days={draft.features.find(({ featureSlug }) => featureSlug === slug)?.days ?? ''}
              isEditable={isEditable}
              onChange={(days) => changeFeature(slug, days)}
            />
          ))}
        </Fields>
      )}
    </>
  )
}

const RecordFields = ({ draft, isEditable, onChange }: FieldsProps) => (
  <Fields legend="Other records, in days">
    <DaysField
      label="Samples of rejected records"
      days={draft.ledgerSampleDays}
      isEditable={isEditable}
      onChange={(ledgerSampleDays) => onChange({ ledgerSampleDays })}
    />
    <DaysField
      label="Files that no dataset row uses"
      days={draft.fileDays}
      isEditable={isEditable}
      onChange={(fileDays) => onChange({ fileDays })}
    />
    <DaysField
      label="Finished evaluations"
      placeholder="7, failed ones 30"
      days={draft.evaluationDays}
      isEditable={isEditable}
      onChange={(evaluationDays) => onChange({ evaluationDays })}
    />
    <DaysField
      label="Idempotency keys"
      placeholder="1"
      days={draft.idempotencyDays}
      isEditable={isEditable}
      onChange={(idempotencyDays) => onChange({ idempotencyDays })}
    />
  </Fields>
)

const Fields = ({ legend, children }: { readonly legend: string; readonly children: ReactNode }) => (
  <fieldset className="flex flex-col gap-2">
    <legend className="mb-2 text-xs font-medium text-ink-3">{legend}</legend>
    <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">{children}</div>
  </fieldset>
)

/** The rules with one replaced; a rule without days is removed. */
function withRule<Rule extends { readonly days: string }>(
  rules: readonly Rule[],
  rule: Rule,
  name: keyof Rule,
): readonly Rule[] {
  if (rule.days === '') return rules.filter((each) => each[name] !== rule[name])
  return rules.some((each) => each[name] === rule[name])
    ? rules.map((each) => (each[name] === rule[name] ? rule : each))
    : [...rules, rule]
}
