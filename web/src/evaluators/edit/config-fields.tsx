import { Controller, useFormState, useWatch } from 'react-hook-form'
import { useRead } from '../../app/api.ts'
import type { Form } from '../../ui/form/use-form.ts'
import { ModelState } from '../model-state.tsx'
import { ConfigControl } from './config-control.tsx'
import type { ConfigField } from './config-field.ts'
import { type EvaluatorValues, keyOf, shownFields, type Texts } from './evaluator-values.ts'
import type { Kind } from './kinds.ts'

interface ConfigFieldsProps {
  readonly form: Form<EvaluatorValues>
  readonly kind: Kind
}

/** The settings of an evaluator kind; advanced ones are collapsed unless set or invalid. */
export function ConfigFields({ form, kind }: ConfigFieldsProps) {
  const { control } = form
  const texts: Texts = useWatch({ control, name: 'config' })
  const problems = useFormState({ control, name: 'config' }).errors.config
  const connections = useRead('connections.list', {}).data?.connections
  const connection = connections?.find(({ id }) => id === texts.connectionId)
  const fields = shownFields(kind, texts)
  const extra = fields.filter(({ isExtra }) => isExtra === true)
  const isExtraOpen = extra.some(
    ({ name }) => (texts[keyOf(name)] ?? '') !== '' || problems?.[keyOf(name)] !== undefined,
  )
  const grid = (some: readonly ConfigField[]) => (
    <div className="grid grid-cols-2 gap-4 max-sm:grid-cols-1">
      {some.map((field) => (
        <div key={field.name} className={isWide(field) ? 'col-span-full' : 'min-w-0'}>
          <Controller
            control={control}
            name={`config.${keyOf(field.name)}`}
            render={({ field: { value, onChange }, fieldState }) => (
              <ConfigControl
                field={field}
                text={value ?? ''}
                problem={fieldState.error?.message}
                connections={connections}
                connection={connection}
                onChange={onChange}
              />
            )}
          />
        </div>
      ))}
    </div>
  )
  return (
    <>
      {grid(fields.filter(({ isExtra }) => isExtra !== true))}
      {connection !== undefined && (texts.model ?? '') !== '' && (
        <ModelState
          key={`${connection.id} ${texts.model}`}
          connection={connection}
          model={(texts.model ?? '').trim()}
        />
      )}
      {extra.length > 0 && (
        <details open={isExtraOpen} className="rounded border border-line">
          <summary className="cursor-pointer px-3 py-2 text-sm font-medium">More settings</summary>
          <div className="p-3 pt-1">{grid(extra)}</div>
        </details>
      )}
    </>
  )
}

const wide: readonly ConfigField['type'][] = [
  'long',
  'references',
  'markdown',
  'points',
  'flag',
  'json',
  'javascript',
  'template',
  'words',
]
const isWide = ({ type }: ConfigField): boolean => wide.includes(type)
