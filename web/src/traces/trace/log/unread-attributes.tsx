/** Span attributes with text that no convention recognized: without them, their content would be hidden. */
import { JsonTree } from '../../../ui/text/json-tree.tsx'
import { Section } from './section.tsx'

export function UnreadAttributes({ otel }: { readonly otel: unknown }) {
  const attributes = unreadAttributes(otel)
  const count = Object.keys(attributes).length
  if (count === 0) return null
  return (
    <Section title="Unrecognized attributes" hint={`${count}, as sent`}>
      <JsonTree value={attributes} label="Unrecognized attributes" openDepth={1} hasSearch={false} />
    </Section>
  )
}

type Fields = Readonly<Record<string, unknown>>

function unreadAttributes(otel: unknown): Fields {
  const { notUnderstood, attributes } = (otel ?? {}) as { notUnderstood?: string[]; attributes?: Fields }
  const entries = (notUnderstood ?? []).map((name): [string, unknown] => [name, attributes?.[name]])
  return Object.fromEntries(entries.filter(([, value]) => typeof value === 'string' && value !== ''))
}
