import { useWatch } from 'react-hook-form'
import { useRead } from '../app/api.ts'
import { NumberField, SelectField, SwitchField, TextField } from '../ui/form/fields.tsx'
import type { Form } from '../ui/form/use-form.ts'
import type { QueueValues } from './queue-values.ts'

/** The automatic feed of a queue. */
export function FeedFields({ form }: { readonly form: Form<QueueValues> }) {
  const isOn = useWatch({ control: form.control, name: 'feed.isOn' })
  return (
    <fieldset className="flex flex-col gap-3 rounded border border-line p-4">
      <legend className="px-1 text-sm font-medium">Automatic feed</legend>
      <SwitchField form={form} name="feed.isOn" label="Add new traces automatically" />
      {isOn && <FeedFilter form={form} />}
    </fieldset>
  )
}

function FeedFilter({ form }: { readonly form: Form<QueueValues> }) {
  const features = useRead('features.list', {}).data?.features ?? []
  const scoreNames = useRead('scores.list', { limit: 200 }).data?.scores ?? []
  const names = [...new Set(scoreNames.map(({ name }) => name))].sort()
  return (
    <>
      <div className="grid grid-cols-2 gap-4 max-sm:grid-cols-1">
        <NumberField form={form} name="feed.share" label="Sampling rate (%)" scale={100} />
        <SelectField
          form={form}
          name="feed.featureSlug"
          label="Feature"
          choices={[
            { value: '', label: 'Any feature' },
            ...features.map(({ slug, name }) => ({ value: slug, label: name })),
          ]}
        />
      </div>
      <div className="grid grid-cols-3 gap-4 max-sm:grid-cols-1">
        <TextField
          form={form}
          name="feed.scoreName"
          label="Score filter"
          hint="Leave empty for any trace."
          list="feed-scores"
        />
        <NumberField form={form} name="feed.scoreMin" label="Minimum" />
        <NumberField form={form} name="feed.scoreMax" label="Maximum" />
      </div>
      <datalist id="feed-scores">
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  )
}
