/** The alert form, beside a preview of what the alert would have done. */
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useController, useWatch } from 'react-hook-form'
import { useRead } from '../app/api.ts'
import { LabelledCheckbox } from '../ui/form/checkbox.tsx'
import { Group } from '../ui/form/field.tsx'
import { TextareaField, TextField } from '../ui/form/fields.tsx'
import { Form } from '../ui/form/form.tsx'
import type { Form as FormOf } from '../ui/form/use-form.ts'
import { type AlertValues, previewableRule } from './alert-values.ts'
import { FilterFields } from './filter-fields.tsx'
import { PreviewPanel } from './preview-panel.tsx'
import { RuleFields } from './rule-fields.tsx'
import { SteadinessFields } from './steadiness-fields.tsx'

interface AlertFormProps {
  readonly form: FormOf<AlertValues>
  readonly action: string
  /** A side effect of saving. */
  readonly note?: ReactNode
  readonly onCancel: () => void
}

export function AlertForm({ form, action, note, onCancel }: AlertFormProps) {
  return (
    <div className="flex min-h-0 flex-1 max-lg:flex-col lg:overflow-hidden">
      <Form
        form={form}
        action={action}
        onCancel={onCancel}
        note={note}
        isPage
        className="flex shrink-0 flex-col gap-5 p-4 lg:w-120 lg:overflow-y-auto"
      >
        <TextField
          form={form}
          name="name"
          label="Name"
          hint="Appears in every notification. Must be unique in the workspace."
          isRequired
          maxLength={200}
        />
        <RuleFields form={form} />
        <FilterFields form={form} />
        <SteadinessFields form={form} />
        <Channels form={form} />
        <TextareaField
          form={form}
          name="note"
          label="Note"
          hint="What to do when it fires. Included in every notification."
          maxLength={2000}
        />
      </Form>
      <Preview form={form} />
    </div>
  )
}

/** A component of its own, so that a key press rerenders nothing else. */
function Preview({ form }: { readonly form: FormOf<AlertValues> }) {
  const values = useWatch({ control: form.control })
  // Safe: every field has a value from the start.
  return <PreviewPanel rule={previewableRule(values as AlertValues)} />
}

function Channels({ form }: { readonly form: FormOf<AlertValues> }) {
  const { field } = useController({ control: form.control, name: 'channelIds' })
  const channelIds: readonly string[] = field.value
  const channels = useRead('channels.list', {}).data?.channels
  return (
    <Group label="Notifies" hint={channels?.length === 0 ? noChannels : undefined}>
      <div className="flex flex-col gap-2">
        {(channels ?? []).map(({ id, name, target, isEnabled }) => (
          <LabelledCheckbox
            key={id}
            label={name}
            hint={isEnabled ? target : `${target}, which is disabled`}
            isChecked={channelIds.includes(id)}
            onChange={(isOn) =>
              field.onChange(isOn ? [...channelIds, id] : channelIds.filter((channelId) => channelId !== id))
            }
          />
        ))}
      </div>
    </Group>
  )
}

const noChannels = (
  <>
    There are no channels yet. An admin can add one under{' '}
    <Link to="/alerts" search={{ view: 'channels' }} className="text-accent-ink underline underline-offset-2">
      Channels
    </Link>
    ; until then, the alert only shows here.
  </>
)
