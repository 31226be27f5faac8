/** A column of the playground: a model of a connection, with the draft or a stored version. Pure. */
import { messagesOf, type Texts } from '../prompts/edit/prompt-messages.ts'

export interface Column {
  readonly connectionId: string
  /** Empty for the model of the version. */
  readonly model: string
  /** Absent for the draft. */
  readonly version?: string | undefined
}

/** How the address has it: connection, version and model; a model may have any sign in its name. */
export const writeColumn = ({ connectionId, model, version = '' }: Column): string =>
  [connectionId, encodeURIComponent(version), model].join('|')

export function readColumn(text: string): Column {
  const [connectionId = '', version = '', ...model] = text.split('|')
  return {
    connectionId,
    model: model.join('|'),
    ...(version !== '' && { version: decode(version) }),
  }
}

/** An address comes from anywhere: unencoded text counts as it is. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The templates of the draft and of the versions in the columns as one prompt, whose variables are those of all. */
export const textsOfColumns = (
  draft: Texts,
  columns: readonly Column[],
  versions: readonly (Texts & { readonly version: string })[],
): Texts => ({
  text: '',
  systemText: '',
  messages: [
    draft,
    ...versions.filter(({ version }) => columns.some((column) => column.version === version)),
  ].flatMap((texts) => texts.messages ?? messagesOf(texts)),
})

interface ModelOffer {
  readonly id: string
  readonly provider: string
  readonly models: readonly string[]
}

/** The first column: the connection that offers the model, else one of its provider, else the first; without a model, its first one. */
export function firstColumn(
  connections: readonly ModelOffer[],
  { model, provider }: { readonly model: string; readonly provider: string },
): Column | undefined {
  const withModel = connections.find(({ models }) => models.includes(model))
  const connection =
    withModel ?? connections.find((candidate) => candidate.provider === provider) ?? connections[0]
  if (connection === undefined) return undefined
  return { connectionId: connection.id, model: model === '' ? (connection.models[0] ?? '') : model }
}

/** The column to add: the next model that the last one's connection offers, else the same once more. */
export function nextColumn(
  columns: readonly Column[],
  connections: readonly ModelOffer[],
): Column | undefined {
  const last = columns.at(-1)
  if (last === undefined) return firstColumn(connections, { model: '', provider: '' })
  const usedModels = new Set(columns.map(({ connectionId, model }) => `${connectionId} ${model}`))
  for (const { id, models } of [...connections].sort((connection) =>
    connection.id === last.connectionId ? -1 : 1,
  )) {
    const model = models.find((each) => !usedModels.has(`${id} ${each}`))
    if (model !== undefined) return { ...last, connectionId: id, model }
  }
  return last
}
