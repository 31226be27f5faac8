/** The form of an evaluator, with a dry run beside it. */
import { Suspense } from 'react'
import { useWatch } from 'react-hook-form'
import { CustomField, NumberField, TextField } from '../../ui/form/fields.tsx'
import { Form } from '../../ui/form/form.tsx'
import { Select } from '../../ui/form/select.tsx'
import { SlugField } from '../../ui/form/suggested-field.tsx'
import type { Form as FormOf } from '../../ui/form/use-form.ts'
import { late } from '../../ui/late.ts'
import { useShortcuts } from '../../ui/shortcuts.tsx'
import { ConfigFields } from './config-fields.tsx'
import {
  checkConfig,
  type EvaluatorInput,
  type EvaluatorValues,
  evaluatorInput,
  firstTexts,
} from './evaluator-values.ts'
import { type Kind, kindNames, kinds } from './kinds.ts'
import { LiveFields } from './live-fields.tsx'

/** Shown beside the form, and loaded after it. */
const DryRunPanel = late(async () => (await import('./dry-run-panel.tsx')).DryRunPanel, Promise.resolve())

interface EvaluatorFormProps {
  readonly form: FormOf<EvaluatorValues>
  readonly isNew: boolean
  readonly action: string
  /** The effect of saving on the version, shown beside the button. */
  readonly noteOf?: (input: EvaluatorInput) => string
  readonly onCancel: () => void
}

const kindChoices = kindNames.map((value) => ({ value, label: kinds[value].label, hint: kinds[value].hint }))

export function EvaluatorForm({ form, isNew, action, noteOf, onCancel }: EvaluatorFormProps) {
  // Safe: every field has a value from the start.
  const values = useWatch({ control: form.control }) as EvaluatorValues
  useShortcuts([{ keys: 'mod+s', label: action, onPress: () => void form.submit() }])
  return (
    <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)_minmax(320px,420px)] max-lg:grid-cols-1">
      <Form
        form={form}
        action={action}
        onCancel={onCancel}
        note={noteOf?.(evaluatorInput(values))}
        isPage
        className="flex min-w-0 flex-col gap-5 p-4 lg:overflow-y-auto"
      >
        <GeneralFields form={form} kind={values.kind} isNew={isNew} />
        <ConfigFields key={values.kind} form={form} kind={values.kind} />
        {values.kind !== 'human' && <LiveFields form={form} values={values} isNew={isNew} />}
      </Form>
      <Suspense fallback={<div className="border-line bg-sunken max-lg:border-t lg:border-l" />}>
        <DryRunPanel
          kind={values.kind}
          config={evaluatorInput(values).config}
          isReady={checkConfig(values).length === 0}
          // Pressing it shows what is missing.
          onTry={() => void form.trigger()}
        />
      </Suspense>
    </div>
  )
}

interface GeneralFieldsProps {
  readonly form: FormOf<EvaluatorValues>
  readonly kind: Kind
  readonly isNew: boolean
}

function GeneralFields({ form, kind, isNew }: GeneralFieldsProps) {
  const changeKind = (next: Kind): void => {
    if (next === kind) return
    form.setValue('config', firstTexts(next))
    form.setValue('rest', {})
    form.setValue('kind', next, { shouldDirty: true })
  }
  return (
    <div className="grid grid-cols-2 gap-4 max-sm:grid-cols-1">
      <TextField form={form} name="name" label="Name" isRequired autoFocus={isNew} maxLength={200} />
      {isNew ? (
        <SlugField form={form} name="slug" from="name" hint={slugHint} />
      ) : (
        <TextField form={form} name="slug" label="Slug" hint={slugHint} disabled className="font-mono" />
      )}
      <CustomField form={form} name="kind" label="Kind" hint={kinds[kind].hint}>
        {({ value }) => <Select choices={kindChoices} value={value} onChange={changeKind} />}
      </CustomField>
      {kind !== 'human' && (
        <NumberField
          form={form}
          name="sampleRate"
          label="Sampling rate (% of traces that name it)"
          hint="A trace can set its own rate."
          scale={100}
        />
      )}
    </div>
  )
}

const slugHint = 'Names its scores. It cannot be changed later.'
