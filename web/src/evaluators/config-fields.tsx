import { useRead } from '../app/api.ts'
import { ConfigControl } from './config-control.tsx'
import type { ConfigField } from './config-field.ts'
import { shownFields, type Texts } from './draft.ts'
import type { Kind } from './kinds.ts'
import { ModelState } from './model-state.tsx'

interface ConfigFieldsProps {
  readonly kind: Kind
  readonly texts: Texts
  readonly problems: Readonly<Record<string, string>>
  readonly onChange: (name: string, text: string) => void
}

/** The settings of an evaluator kind; advanced ones are folded unless set or invalid. */
export function ConfigFields({ kind, texts, problems, onChange }: ConfigFieldsProps) {
  const connections = useRead('connections.list', {}).data?.connections
  const connection = connections?.find(({ id }) => id === texts.connectionId)
  const fields = shownFields(kind, texts)
  const extra = fields.filter(({ isExtra }) => isExtra === true)
  const isExtraOpen = extra.some(({ name }) => (texts[name] ?? '') !== '' || problems[name] !== undefined)
  const grid = (some: readonly ConfigField[]) => (
    <div className="grid grid-cols-2 gap-4 max-sm:grid-cols-1">
      {some.map((field) => (
        <div key={field.name} className={isWide(field) ? 'col-span-full' : 'min-w-0'}>
          <ConfigControl
            field={field}
            text={texts[field.name] ?? ''}
            problem={problems[field.name]}
            connections={connections}
            connection={connection}
            onChange={(text) => onChange(field.name, text)}
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
