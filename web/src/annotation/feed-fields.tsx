import { useRead } from '../app/api.ts'
import { Switch } from '../ui/checkbox.tsx'
import { Field, Input } from '../ui/field.tsx'
import { Select } from '../ui/select.tsx'
import type { FeedDraft } from './feed-draft.ts'

interface FeedFieldsProps {
  readonly draft: FeedDraft
  readonly problem: string | undefined
  readonly onChange: (draft: FeedDraft) => void
}

/** The automatic feed of a queue. */
export function FeedFields({ draft, problem, onChange }: FeedFieldsProps) {
  const features = useRead('features.list', {}).data?.features ?? []
  const known = useRead('scores.list', { limit: 200 }).data?.scores ?? []
  const names = [...new Set(known.map(({ name }) => name))].sort()
  const change = (changed: Partial<FeedDraft>): void => onChange({ ...draft, ...changed })
  const input = (name: keyof FeedDraft & string, label: string) => (
    <Field label={label}>
      <Input
        inputMode="decimal"
        value={String(draft[name])}
        onChange={(event) => change({ [name]: event.currentTarget.value })}
      />
    </Field>
  )
  return (
    <fieldset className="flex flex-col gap-3 rounded border border-line p-4">
      <legend className="px-1 text-sm font-medium">Automatic feed</legend>
      <Switch
        label="Add new traces automatically"
        isChecked={draft.isOn}
        onChange={(isOn) => change({ isOn })}
      />
      {draft.isOn && (
        <>
          <div className="grid grid-cols-2 gap-4 max-sm:grid-cols-1">
            {input('percent', 'Sampling rate (%)')}
            <Field label="Feature">
              <Select
                label="Feature"
                choices={[
                  { value: '', label: 'Any feature' },
                  ...features.map(({ slug, name }) => ({ value: slug, label: name })),
                ]}
                value={draft.featureSlug}
                onChange={(featureSlug) => change({ featureSlug })}
              />
            </Field>
          </div>
          <div className="grid grid-cols-3 gap-4 max-sm:grid-cols-1">
            <Field label="Score filter" hint="Leave empty for any trace.">
              <Input
                list="feed-scores"
                value={draft.scoreName}
                onChange={(event) => change({ scoreName: event.currentTarget.value })}
              />
            </Field>
            {input('scoreMin', 'Minimum')}
            {input('scoreMax', 'Maximum')}
          </div>
          <datalist id="feed-scores">
            {names.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </>
      )}
      {problem !== undefined && <p className="text-xs text-bad">{problem}</p>}
    </fieldset>
  )
}
