/** The facts that are written more than once: each copy is held against the one that the code goes by. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import {
  allOperations,
  bodyErrors,
  errors,
  errorsOfBody,
  openApiDocument,
  sharedErrors,
} from '@plumbline/contract'
import { settings } from './config.ts'
import { type OpenApi, operationSections, type Row, shapeSections } from './documented-fields.ts'
import { startTestApp } from './testing.ts'

const { app, send } = await startTestApp()

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
// Safe: the document is made by `openApiDocument`, and these are the parts of it that every operation has.
const document = openApiDocument() as unknown as OpenApi

/** The text under each heading of a level, by heading. */
function sectionsOf(text: string, level: number): Map<string, string> {
  const sections = text.split(new RegExp(`^#{${level}} `, 'm')).slice(1)
  return new Map(
    sections.map((section) => {
      const end = section.indexOf('\n')
      const next = section.slice(end).search(/^#{1,6} /m)
      return [section.slice(0, end).trim(), section.slice(end, next < 0 ? undefined : end + next).trim()]
    }),
  )
}

/** The rows of the table under a line of headings, without that line. */
function tableUnder(section: string, headings: readonly string[]): Row[] {
  const lines = section.split('\n')
  const start = lines.indexOf(`| ${headings.join(' | ')} |`)
  if (start < 0) return []
  const after = lines.slice(start + 2)
  const end = after.findIndex((line) => !line.startsWith('|'))
  return after.slice(0, end < 0 ? undefined : end).map(cellsOf)
}

const cellsOf = (line: string): string[] =>
  line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'))

describe('contract/openapi.json', () => {
  it('is the document that the operations make; `npm run openapi` writes it', () => {
    assert.deepEqual(JSON.parse(read('contract/openapi.json')), document)
  })

  it('has every operation of the contract with its success and its errors, and no other', () => {
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [
        operation.operationId,
        `${method.toUpperCase()} ${path}`,
        ...Object.keys(operation.responses).toSorted(),
      ]),
    )
    const documented = allOperations.map((operation) => {
      const codes = [...operation.errors, ...errorsOfBody(operation), ...sharedErrors]
      const statuses = new Set([operation.success, ...codes.map((code) => errors[code].status)])
      return [
        operation.name,
        `${operation.method} ${operation.path}`,
        ...[...statuses].map(String).toSorted(),
      ]
    })
    assert.deepEqual(described.toSorted(), documented.toSorted())
  })
})

describe('the routes of the server', () => {
  /** What answers beside the operations. */
  const others =
    /^(GET|HEAD) \/(healthz|readyz|metrics|openapi\.json|docs(\/.*|\*)?)?$|^\w+ \/(auth\/|mcp$|backup$|v1\/(traces|logs|metrics)$)|^POST \/$|^(GET|HEAD) \/app(\/\*?)?$|^PUT \/files\/upload\/:fileKey$/

  it('are the operations of the contract, and the operator’s few', async () => {
    await app.server.ready()
    const registered: string[] = []
    const parents: string[] = []
    for (const line of app.server.printRoutes({ commonPrefix: false }).split('\n')) {
      const [, indent = '', path = '', methods = ''] = /^([│ ]*)[├└]── (\S*) \(([A-Z, ]+)\)/.exec(line) ?? []
      if (methods === '') continue
      const depth = indent.length / 4
      parents.splice(depth, parents.length, (parents[depth - 1] ?? '') + path)
      for (const method of methods.split(', ')) registered.push(`${method} ${parents[depth]}`)
    }
    const documented = allOperations.flatMap(({ method, path }) => {
      const url = path.replaceAll(/\{(\w+)\}/g, ':$1')
      return method === 'GET' ? [`GET ${url}`, `HEAD ${url}`] : [`${method} ${url}`]
    })
    assert.deepEqual(registered.filter((route) => !others.test(route)).toSorted(), documented.toSorted())
  })

  it('serve the same document', async () => {
    assert.deepEqual(JSON.parse((await send({ method: 'GET', url: '/openapi.json' })).text), document)
  })
})

describe('docs/reference.md', () => {
  const sections = sectionsOf(read('docs/reference.md'), 3)

  it('has a section for every operation, and none for what is no operation', () => {
    const named = [...sections.keys()].filter((heading) => /^\w+\.\w+$/.test(heading))
    assert.deepEqual(named.toSorted(), allOperations.map(({ name }) => name).toSorted())
  })

  for (const operation of operationSections(document)) {
    it(`says of ${operation.name} what the contract says, field by field`, () => {
      const section = sections.get(operation.name) ?? ''
      assert.ok(section.includes(operation.line), operation.line)
      assert.ok(section.includes(operation.summary), operation.summary)
      assert.deepEqual(tableUnder(section, ['Field', 'In', 'Type', 'Required', 'Notes']), operation.input)
      assert.ok(section.includes(`Answers \`${operation.success}\``), operation.success)
      assert.deepEqual(tableUnder(section, ['Field', 'Type', 'Always', 'Notes']), operation.output)
      const listed = /^Errors: (.*?)(?:, and |)\[those of every operation\]\(#errors\)\.$/m.exec(section)
      assert.deepEqual(listed?.[1]?.split(', ').filter(Boolean) ?? [], operation.errors)
    })
  }

  for (const [name, rows] of shapeSections(document)) {
    it(`says of the shape ${name} what the contract says, field by field`, () => {
      assert.deepEqual(tableUnder(sections.get(name) ?? '', ['Field', 'Type', 'Required', 'Notes']), rows)
    })
  }

  it('has every error of the catalogue with its status and its sentence, and no other', () => {
    const facts = new Proxy({}, { get: (_target, name) => `{${String(name)}}` })
    const documented = Object.entries(errors).map(([code, { status, message }]) => [
      `\`${code}\``,
      String(status),
      // Every fact is told by its own name here, whatever its type.
      (message as (facts: object) => string)(facts),
    ])
    const section = sectionsOf(read('docs/reference.md'), 2).get('Errors') ?? ''
    assert.deepEqual(tableUnder(section, ['Code', 'Status', 'Sentence']), documented)
  })

  it('lists the errors that every operation shares', () => {
    const section = sectionsOf(read('docs/reference.md'), 2).get('Errors') ?? ''
    const words = (codes: readonly (keyof typeof errors)[]) =>
      codes.map((code) => `${errors[code].status} \`${code}\``).join(', ')
    assert.ok(section.includes(`Every operation: ${words(sharedErrors)}.`))
    assert.ok(section.includes(`Every operation with a body: ${words(bodyErrors)}.`))
  })

  it('links only to headings that it has', () => {
    const text = read('docs/reference.md')
    const anchors = new Set(
      [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
        heading
          .toLowerCase()
          .replaceAll(/[^\w -]/g, '')
          .replaceAll(' ', '-'),
      ),
    )
    const links = [...text.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor = '']) => anchor)
    assert.deepEqual(
      links.filter((anchor) => !anchors.has(anchor)),
      [],
    )
  })
})

describe('docs/settings.md', () => {
  it('has every setting with its default and its sentence, and no other', () => {
    const documented = Object.entries(settings).map(([name, { fallback, sentence }]) => [
      `\`${name}\``,
      fallback === '' ? '' : `\`${fallback}\``,
      sentence,
    ])
    assert.deepEqual(tableUnder(read('docs/settings.md'), ['Setting', 'Default', 'What it does']), documented)
  })
})
