/** docs/reference.md, generated from the contract: the operations by resource, the shapes they share, and the errors. */
import {
  allOperations,
  bodyErrors,
  type ErrorCode,
  errors,
  errorsOfBody,
  type Operation,
  openApiDocument,
  type Resource,
  resourceGroups,
  resources,
  sharedErrors,
  takesJson,
} from '@plumbline/contract'
import { anchorOf, describeType, fieldRows, type Schema, table } from './schema-tables.ts'

type Content = Readonly<Record<string, { readonly schema: Schema }>>

interface DescribedOperation {
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly required: boolean
    readonly description?: string
    readonly schema: Schema
  }[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** The whole page, in Markdown. */
export function referencePage(): string {
  // Safe: `openApiDocument` writes these parts for every operation.
  const document = openApiDocument() as unknown as OpenApi
  const sections = [
    opening,
    contents(),
    ...sortedResources().flatMap(([name, resource]) => [
      `## ${resource.title}\n\n${resource.introduction}`,
      ...operationsOf(name).map((operation) => operationSection(operation, document)),
    ]),
    '## Shapes\n\nObjects that several operations share.',
    ...Object.entries(document.components.schemas)
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .map(([name, schema]) => shapeSection(name, schema)),
    errorsSection(),
  ]
  return `${sections.join('\n\n')}\n`
}

const opening = `<!-- Written by \`npm run openapi\` from contract/src. Do not edit this page. -->

# Reference

Every operation of the interface. A running service has the same at \`/docs\`, to browse and try, and at \`/openapi.json\`.

[Conventions](conventions.md) describes what all operations share: authentication, bodies, lists, retries and times.`

const sortedResources = (): (readonly [name: string, resource: Resource])[] =>
  resourceGroups.flatMap((group) =>
    Object.entries(resources).filter(([, resource]) => resource.group === group),
  )

/** The verbs that come first in a resource; the others follow in the order of the contract. */
const firstVerbs = ['list', 'create', 'get', 'update', 'delete']

function operationsOf(resource: string): Operation[] {
  const rank = (operation: Operation): number => {
    const index = firstVerbs.indexOf(verbOf(operation))
    return index < 0 ? firstVerbs.length : index
  }
  return allOperations
    .filter(({ name }) => name.startsWith(`${resource}.`))
    .toSorted((first, second) => rank(first) - rank(second))
}

const verbOf = ({ name }: Operation): string => name.slice(name.indexOf('.') + 1)

function contents(): string {
  const groups = resourceGroups.map((group) => {
    const lines = sortedResources()
      .filter(([, resource]) => resource.group === group)
      .map(([name, { title }]) => {
        const verbs = operationsOf(name).map((operation) => link(verbOf(operation), operation.name))
        return `- ${link(title)}: ${verbs.join(', ')}`
      })
    return `**${group}**\n\n${lines.join('\n')}`
  })
  return ['## Contents', ...groups, `${link('Shapes')} · ${link('Errors')}`].join('\n\n')
}

const link = (text: string, heading = text): string => `[${text}](#${anchorOf(heading)})`

function operationSection(operation: Operation, { paths }: OpenApi): string {
  const described = paths[operation.path]?.[operation.method.toLowerCase()]
  if (described === undefined) throw new Error(`The OpenAPI document lacks ${operation.name}.`)
  return [
    `### ${operation.name}`,
    `\`${operation.method} ${operation.path}\``,
    operation.summary,
    ...(operation.notes === undefined ? [] : [operation.notes.map((note) => `- ${note}`).join('\n')]),
    `Access: ${describeAccess(operation)}.`,
    ...inputParts(described),
    ...outputParts(operation, described),
    `Errors: ${describeErrors(operation)}.`,
  ].join('\n\n')
}

/** Who may call an operation. */
export function describeAccess({
  scope,
  orScope,
  role,
}: Pick<Operation, 'scope' | 'orScope' | 'role'>): string {
  const keys = [scope, orScope].filter((name) => name != null).map((name) => `\`${name}\``)
  const people = {
    anyone: 'everyone who is signed in',
    operator: 'operators',
    owner: 'owners',
    admin: 'people with the role `admin` or `owner`',
    editor: 'people with the role `editor` or higher',
    viewer: 'people with any role',
  }[role]
  return keys.length === 0
    ? `${people}; no API key`
    : `API keys with the scope ${keys.join(' or ')}; ${people}`
}

function inputParts({ parameters = [], requestBody }: DescribedOperation): string[] {
  const body = schemaIn(requestBody?.content)
  const rows = [
    ...parameters.map(({ name, in: where, required, description, schema }) => [
      `\`${name}\``,
      where,
      describeType(schema),
      required ? 'yes' : '',
      schema.description ?? description ?? '',
    ]),
    ...(body === undefined ? [] : fieldRows(body)).map(([field, ...rest]) => [field, 'body', ...rest]),
  ]
  return rows.length === 0 ? [] : [table(['Input', 'In', 'Type', 'Required', 'Description'], rows)]
}

function outputParts({ success }: Operation, { responses }: DescribedOperation): string[] {
  const content = responses[success]?.content
  const schema = schemaIn(content)
  if (content === undefined || schema === undefined) return [`Response: \`${success}\`, without a body.`]
  const [mediaType] = Object.keys(content)
  if (mediaType !== 'application/json') return [`Response: \`${success}\`, a stream of \`${mediaType}\`.`]
  return [
    `Response: \`${success}\``,
    table(['Output', 'Type', 'Always present', 'Description'], fieldRows(schema)),
  ]
}

const schemaIn = (content: Content | undefined): Schema | undefined =>
  content && Object.values(content)[0]?.schema

/** The errors of an operation, beyond those that every operation, or every operation with a JSON body, shares. */
export function describeErrors(operation: Pick<Operation, 'errors' | 'method' | 'takes'>): string {
  const shared = new Set([...sharedErrors, ...(takesJson(operation) ? bodyErrors : [])])
  const own = [...operation.errors, ...errorsOfBody(operation)].filter((code) => !shared.has(code))
  const rest = `[those of every operation](#errors)`
  return own.length === 0 ? rest : `${listErrors(own)}, and ${rest}`
}

/** Status and code of each, by status. */
const listErrors = (codes: readonly ErrorCode[]): string =>
  codes
    .toSorted((first, second) => errors[first].status - errors[second].status)
    .map((code) => `${errors[code].status} \`${code}\``)
    .join(', ')

function shapeSection(name: string, schema: Schema): string {
  const description = schema.description === undefined ? [] : [schema.description]
  const fields =
    schema.oneOf === undefined
      ? table(['Field', 'Type', 'Required', 'Description'], fieldRows(schema))
      : `Either ${describeType(schema)}.`
  return [`### ${name}`, ...description, fields].join('\n\n')
}

function errorsSection(): string {
  // Each fact of a message is shown as its name in braces.
  const facts = new Proxy({}, { get: (_target, name) => `{${String(name)}}` })
  const rows = Object.entries(errors).map(([code, { status, message }]) => [
    `\`${code}\``,
    String(status),
    // Safe: a message only inserts its facts into a text, and the proxy has every fact.
    (message as (facts: object) => string)(facts),
  ])
  return [
    '## Errors',
    'The body is `{"error": "<message>"}`. Words in braces stand for what the service fills in.',
    `Every operation: ${listErrors(sharedErrors)}.`,
    `Every operation with a JSON body: ${listErrors(bodyErrors)}.`,
    table(['Code', 'Status', 'Message'], rows),
  ].join('\n\n')
}
