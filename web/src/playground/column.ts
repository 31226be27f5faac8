/** A column of the playground: a model of a connection, with the draft or a stored version. Pure. */
import { messagesOf, type Texts } from '../prompts/edit/prompt-messages.ts'

export interface Column {
  readonly connectionId: string
  /** Empty for the model of the version. */
  readonly model: string
  /** Absent for the draft. */
  readonly version?: string | undefined
}

/** Its form in the URL: connection, version and model; a model name may contain any character. */
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

/** URLs come from anywhere: unencoded text is taken literally. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The templates of the draft and of all versions in the columns, as one prompt with all their variables. */
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

/** The column to add: the next model of the last column's connection, else a copy of it. */
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
