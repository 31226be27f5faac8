/** Facts that are written more than once: each copy is compared with the one that the code uses. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { allOperations, errors, errorsOfBody, openApiDocument, sharedErrors } from '@plumbline/contract'
import { referencePage } from '../../scripts/reference/page.ts'
import { anchorOf } from '../../scripts/reference/schema-tables.ts'
import { settings } from '../src/config.ts'
import { startTestApp } from './test-app.ts'

const { app, send } = await startTestApp()

const readText = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
// Safe: `openApiDocument` writes these parts for every operation.
const document = openApiDocument() as {
  paths: Record<string, Record<string, { operationId: string; responses: object }>>
}

/** The rows of the table below a header line. */
function tableUnder(section: string, headings: readonly string[]): string[][] {
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
  it('is the document generated from the operations; `npm run openapi` writes it', () => {
    assert.deepEqual(JSON.parse(readText('contract/openapi.json')), document)
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
  /** Routes that are not operations. Langfuse's public API is covered by `langfuse/authorization.test.ts`. */
  const others =
    /^\w+ \/(api\/public\/|\*$)|^(GET|HEAD) \/(healthz|readyz|metrics|openapi\.json|docs(\/.*|\*)?)?$|^\w+ \/(auth\/|mcp$|backup$|verify$|v1\/(traces|logs|metrics)$)|^POST \/$|^(GET|HEAD) \/app(\/\*?)?$|^(GET|HEAD) \/packages(\/(:name)?)?$|^(GET|HEAD) \/help(\/\*?)?$|^(GET|HEAD) \/shared\/:token$|^PUT \/files\/upload\/:fileKey$/

  it('are the operations of the contract, and a few for operators', async () => {
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
  it('is the page generated from the contract; `npm run openapi` writes it', () => {
    assert.equal(readText('docs/reference.md'), referencePage())
  })
})

describe('links between the documents', () => {
  const folder = new URL('../../docs/', import.meta.url)
  const texts = new Map(
    readdirSync(folder)
      .filter((name) => name.endsWith('.md'))
      .map((name) => [name, readFileSync(new URL(name, folder), 'utf8')]),
  )
  const anchorsOf = (text: string): Set<string> =>
    new Set([...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading)))

  for (const [name, text] of texts) {
    it(`in docs/${name} lead only to headings that exist`, () => {
      const links = [...text.matchAll(/\]\(([\w-]+\.md)?(?:#([^)]+))?\)/g)]
      const broken = links.filter(([, target = name, anchor]) => {
        const page = texts.get(target)
        return page === undefined || (anchor !== undefined && !anchorsOf(page).has(anchor))
      })
      assert.deepEqual(
        broken.map(([link]) => link),
        [],
      )
    })
  }
})

describe('docs/settings.md', () => {
  it('has every setting with its default and its description, and no other', () => {
    const documented = Object.entries(settings).map(([name, { fallback, sentence }]) => [
      `\`${name}\``,
      fallback === '' ? '' : `\`${fallback}\``,
      sentence,
    ])
    assert.deepEqual(
      tableUnder(readText('docs/settings.md'), ['Setting', 'Default', 'What it does']),
      documented,
    )
  })
})
