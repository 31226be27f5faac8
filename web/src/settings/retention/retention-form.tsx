/** For how long what was recorded stays; what the rules would delete is counted before they are saved. */
import { useState } from 'react'
import { useChange, useRead } from '../../app/api.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Field, Input } from '../../ui/form/field.tsx'
import { ConfirmDialog } from '../../ui/overlay/dialog.tsx'
import { useToasts } from '../../ui/overlay/toast.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { isDays, isPossible, type RetentionDraft, toChange, toDraft } from './retention-rules.ts'

export function RetentionForm({ isEditable }: { readonly isEditable: boolean }) {
  const retention = useRead('retention.get', {})
  const features = useRead('features.list', {})
  const [editedDraft, setTyped] = useState<RetentionDraft>()
  const toasts = useToasts()
  const preview = useChange('retention.preview', {})
  const update = useChange('retention.update', {
    refreshes: ['retention.get'],
    onDone: () => {
      setTyped(undefined)
      preview.reset()
      toasts.done('Retention saved')
    },
  })
  if (retention.isError && retention.data === undefined)
    return <ErrorState error={retention.error} onRetry={() => void retention.refetch()} />
  if (retention.data === undefined) return <Skeleton className="h-8 w-full" />
  const draft = editedDraft ?? toDraft(retention.data)
  const isChanged = JSON.stringify(toChange(draft)) !== JSON.stringify(retention.data)
  const change = (next: Partial<RetentionDraft>): void => setTyped({ ...draft, ...next })
  const changeFeature = (featureSlug: string, days: string): void => {
    const others = draft.features.filter((rule) => rule.featureSlug !== featureSlug)
    change({ features: days === '' ? others : [...others, { featureSlug, days }] })
  }
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        preview.mutate(toChange(draft))
      }}
    >
      <DaysField
        label="Traces"
        days={draft.days}
        isEditable={isEditable}
        onChange={(days) => change({ days })}
      />
      {features.data?.features.map(({ slug, name }) => (
        <DaysField
          key={slug}
          label={`Traces of ${name}`}
          placeholder="As above"
          days={draft.features.find(({ featureSlug }) => featureSlug === slug)?.days ?? ''}
          isEditable={isEditable}
          onChange={(days) => changeFeature(slug, days)}
        />
      ))}
      <DaysField
        label="Samples of rejected records"
        days={draft.ledgerSampleDays}
        isEditable={isEditable}
        onChange={(ledgerSampleDays) => change({ ledgerSampleDays })}
      />
      <DaysField
        label="Files that no dataset row uses"
        days={draft.fileDays}
        isEditable={isEditable}
        onChange={(fileDays) => change({ fileDays })}
      />
      {isEditable && isChanged && isPossible(draft) && (
        <div className="flex gap-2">
          <Button type="submit" look="primary" isBusy={preview.isPending}>
            Save…
          </Button>
          <Button onClick={() => setTyped(undefined)}>Cancel</Button>
        </div>
      )}
      <ConfirmDialog
        isOpen={preview.data !== undefined}
        onClose={() => preview.reset()}
        title="Save these retention rules?"
        action={(preview.data?.traces ?? 0) > 0 ? 'Save and delete' : 'Save'}
        isBusy={update.isPending}
        onConfirm={() => update.mutate(toChange(draft))}
      >
        {preview.data !== undefined && <Counts {...preview.data} />}
      </ConfirmDialog>
    </form>
  )
}

interface CountsProps {
  readonly traces: number
  readonly ledgerSamples: number
  readonly files: number
  readonly ages: readonly { readonly olderThanDays: number; readonly traces: number }[]
}

function Counts({ traces, ledgerSamples, files, ages }: CountsProps) {
  return (
    <>
      <p>
        Next night this deletes {traces} traces with their logs and scores, {ledgerSamples} samples of
        rejected records and {files} files. This cannot be undone.
      </p>
      <table className="mt-2 w-full text-left text-xs">
        <caption className="text-left">Traces of this workspace by age</caption>
        <thead>
          <tr>
            <th scope="col">Older than</th>
            <th scope="col">Traces</th>
          </tr>
        </thead>
        <tbody>
          {ages.map((age) => (
            <tr key={age.olderThanDays}>
              <td>{age.olderThanDays} days</td>
              <td>{age.traces}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

interface DaysFieldProps {
  readonly label: string
  readonly days: string
  readonly placeholder?: string
  readonly isEditable: boolean
  readonly onChange: (days: string) => void
}

function DaysField({ label, days, placeholder = 'Forever', isEditable, onChange }: DaysFieldProps) {
  return (
    <Field
      label={`${label}, in days`}
      problem={isDays(days) ? undefined : 'Enter a whole number from 1 to 36500, or leave it empty.'}
    >
      <Input
        className="max-w-40"
        inputMode="numeric"
        value={days}
        placeholder={placeholder}
        disabled={!isEditable}
        onChange={(event) => onChange(event.currentTarget.value.trim())}
      />
    </Field>
  )
}
