/** The traces that an alert measures: by feature, prompt and version, model, or metadata key. */
import { fieldEntries } from '@plumbline/sdk/trace-fields'
import { useState } from 'react'
import { useController } from 'react-hook-form'
import { useRead } from '../app/api.ts'
import { Chip } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Field, Input } from '../ui/form/field.tsx'
import { Select } from '../ui/form/select.tsx'
import type { Form } from '../ui/form/use-form.ts'
import { type AlertValues, withFilter } from './alert-values.ts'

const unfiltered = ''
/** Trace fields with few distinct values. */
const recorded = fieldEntries.flatMap(([field, { label, recordedField, facet, parameter }]) =>
  recordedField === undefined || facet !== 'default' || parameter === undefined
    ? []
    : [{ field, label, parameter: parameter.name }],
)
const withField = [
  'featureSlug',
  'promptSlug',
  'promptVersion',
  'model',
  ...recorded.map(({ parameter }) => parameter),
]

export function FilterFields({ form }: { readonly form: Form<AlertValues> }) {
  const { field } = useController({ control: form.control, name: 'filters' })
  const filters: AlertValues['filters'] = field.value
  const features = useRead('features.list', {}).data?.features ?? []
  const prompts = useRead('prompts.list', {}).data?.prompts ?? []
  const slug = filters.promptSlug
  const versions = prompts.find((prompt) => prompt.slug === slug)?.availableVersions ?? []
  const facetFields = ['model', ...recorded.map(({ field }) => field)].join(',')
  const facets = useRead('traces.facets', { fields: facetFields, limit: 100 }).data?.facets ?? []
  const choicesOfField = (name: string): readonly ChoiceOfFilter[] =>
    facets.find(({ field }) => field === name)?.values.map(({ value }) => ({ value, label: value })) ?? []
  const setFilter = (name: string, value: string): void => field.onChange(withFilter(filters, name, value))
  const others = Object.entries(filters).filter(([name]) => !withField.includes(name))
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-2 text-sm font-medium">Filter traces</legend>
      <div className="grid grid-cols-2 gap-3">
        <Field label="Feature">
          <Select
            value={filters.featureSlug ?? unfiltered}
            onChange={(value) => setFilter('featureSlug', value)}
            choices={choicesOf(
              'All features',
              filters.featureSlug,
              features.map((feature) => ({ value: feature.slug, label: feature.name })),
            )}
          />
        </Field>
        <Field label="Model">
          <Select
            value={filters.model ?? unfiltered}
            onChange={(value) => setFilter('model', value)}
            choices={choicesOf('All models', filters.model, choicesOfField('model'))}
          />
        </Field>
        <Field label="Prompt">
          <Select
            value={slug ?? unfiltered}
            onChange={(value) =>
              field.onChange(withFilter(withFilter(filters, 'promptVersion', ''), 'promptSlug', value))
            }
            choices={choicesOf(
              'All prompts',
              slug,
              prompts.map((prompt) => ({ value: prompt.slug, label: prompt.name })),
            )}
          />
        </Field>
        <Field label="Version">
          <Select
            value={filters.promptVersion ?? unfiltered}
            disabled={slug === undefined}
            onChange={(value) => setFilter('promptVersion', value)}
            choices={choicesOf(
              'All versions',
              filters.promptVersion,
              versions.map((version) => ({ value: version, label: version })),
            )}
          />
        </Field>
        {recorded.map(({ field, label, parameter }) => (
          <Field key={field} label={label}>
            <Select
              value={filters[parameter] ?? unfiltered}
              onChange={(value) => setFilter(parameter, value)}
              choices={choicesOf('All', filters[parameter], choicesOfField(field))}
            />
          </Field>
        ))}
      </div>
      {others.length > 0 && (
        <div className="flex flex-wrap gap-2">
          {others.map(([name, value]) => (
            <Chip key={name} label={name} onRemove={() => setFilter(name, '')}>
              {name}: {value}
            </Chip>
          ))}
        </div>
      )}
      <MetadataField onAdd={(key, value) => setFilter(`metadata.${key}`, value)} />
    </fieldset>
  )
}

interface ChoiceOfFilter {
  readonly value: string
  readonly label: string
}

/** Keeps the chosen value among the choices, even if it no longer exists. */
function choicesOf(all: string, selection: string | undefined, choices: readonly ChoiceOfFilter[]) {
  const isKnown = selection === undefined || choices.some(({ value }) => value === selection)
  return [
    { value: unfiltered, label: all },
    ...(isKnown || selection === undefined ? [] : [{ value: selection, label: selection }]),
    ...choices,
  ]
}

function MetadataField({ onAdd }: { readonly onAdd: (key: string, value: string) => void }) {
  const [key, setKey] = useState('')
  const [value, setValue] = useState('')
  const add = (): void => {
    onAdd(key.trim(), value)
    setKey('')
    setValue('')
  }
  return (
    <div className="flex items-center gap-2">
      <Input
        aria-label="Metadata key"
        placeholder="Metadata, e.g. plan"
        value={key}
        onChange={(event) => setKey(event.currentTarget.value)}
      />
      <Input
        aria-label="Metadata value"
        placeholder="Value, e.g. pro"
        value={value}
        onChange={(event) => setValue(event.currentTarget.value)}
      />
      <Button onClick={add} disabled={key.trim() === '' || value === ''}>
        Add
      </Button>
    </div>
  )
}
