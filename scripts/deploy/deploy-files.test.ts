// One control plane is enough: this tests the files of deploy/.
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { parse } from 'yaml'
import { settings } from '../../server/src/config.ts'
import { startTestApp } from '../../server/testing/test-app.ts'

const root = join(import.meta.dirname, '../..')
const readText = (path: string): string => readFileSync(join(root, path), 'utf8')
const { send } = await startTestApp()

interface RuleFile {
  readonly groups: readonly { readonly rules: readonly { readonly alert: string; readonly expr: string }[] }[]
}
interface Board {
  readonly panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[]
}
interface Compose {
  readonly services: Readonly<
    Record<string, { readonly stop_grace_period?: string; readonly build?: object }>
  >
}
interface Manifest {
  readonly workspaces: readonly string[]
  readonly dependencies: Readonly<Record<string, string>>
}

const parseYaml = <Shape>(path: string): Shape => parse(readText(path), { merge: true }) as Shape
const rules = parseYaml<RuleFile>('deploy/monitoring/alert-rules.yaml').groups.flatMap((group) => group.rules)
const operations = readText('docs/operations.md')

const filesOfDeploy = globSync('deploy/**/*', { cwd: root, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name))

it('every setting named in deploy/ or its pages exists', () => {
  const pages = ['deploy', 'kubernetes', 'operations', 'sizing'].map((page) => join(root, `docs/${page}.md`))
  const secrets = new Set(
    Object.entries<{ readonly isSecret?: boolean }>(settings).flatMap(([name, { isSecret }]) =>
      isSecret === true ? [name, `${name}_FILE`] : [],
    ),
  )
  const pattern = /\b(?:(?:PLUMBLINE|S3|OIDC|SMTP|OTLP)_[A-Z_]+|(?:DATABASE|CLICKHOUSE)_URL[A-Z_]*)\b/g
  let count = 0
  for (const file of [...filesOfDeploy, ...pages, join(root, 'compose.yaml')])
    for (const [name] of readFileSync(file, 'utf8').matchAll(pattern)) {
      assert.ok(name in settings || secrets.has(name), `${file}: ${name}`)
      count += 1
    }
  assert.ok(count > 20)
})

it('every metric named in the board, the rules and the page exists', async () => {
  const { text } = await send({ method: 'GET', url: '/metrics' })
  const types = new Map(
    [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [name, type]),
  )
  const board = JSON.parse(readText('deploy/monitoring/grafana-board.json')) as Board
  const expressions = [
    ...rules.map(({ expr }) => expr),
    ...board.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
    ...[...operations.matchAll(/`(plumbline_[a-z_]+|nodejs_[a-z_0-9]+|process_[a-z_]+)/g)].map(
      ([, name = '']) => name,
    ),
  ]
  assert.ok(expressions.length > 60)
  for (const expression of expressions) {
    const names = expression.match(/\b(?:plumbline|nodejs|process)_[a-z_0-9]+/g) ?? []
    assert.ok(names.length > 0, expression)
    for (const name of names) {
      const base = name.replace(/_bucket$/, '')
      assert.ok(types.has(base), `${name} in ${expression}`)
      const isRated = new RegExp(`(?:rate|increase)\\(${name}\\b`).test(expression)
      if (isRated) assert.notEqual(types.get(base), 'gauge', `${name} is a gauge: ${expression}`)
    }
  }
})

it('every alert has a paragraph, and every paragraph an alert', () => {
  const headings = [...operations.matchAll(/^### (Plumbline\w+)$/gm)].map(([, name]) => name)
  assert.deepEqual(
    headings,
    rules.map(({ alert }) => alert).toSorted((a, b) => headings.indexOf(a) - headings.indexOf(b)),
  )
  assert.equal(new Set(headings).size, rules.length)
})

it('the files that the image and the unit copy and start exist', () => {
  const image = readText('deploy/Dockerfile')
  const manifest = JSON.parse(readText('package.json')) as Manifest
  for (const workspace of manifest.workspaces)
    assert.match(image, new RegExp(`^COPY ${workspace}/package\\.json ${workspace}/$`, 'm'))
  for (const [, sources = ''] of image.matchAll(/^COPY (?!--from)(.+) \S+$/gm))
    for (const source of sources.split(' ')) assert.ok(existsSync(join(root, source)), source)
  const major = /\d+/.exec(manifest.dependencies.node ?? '')?.[0]
  for (const [, tag] of image.matchAll(/^FROM node:(\d+)/gm)) assert.equal(tag, major)
  const [, started = ''] = /^CMD \["node", "(.+)"\]$/m.exec(image) ?? []
  assert.ok(existsSync(join(root, started)), started)
  assert.ok(
    readText('deploy/systemd/plumbline.service').includes(
      `ExecStart=/opt/plumbline/node_modules/.bin/node ${started}`,
    ),
  )
  assert.match(image, /^USER [1-9]\d*:\d+$/m)
})

it('supervisors wait longer on stop than the service takes to store acknowledged records', () => {
  for (const file of ['compose.yaml', 'deploy/compose.cluster.yaml']) {
    const builtServices = Object.entries(parseYaml<Compose>(file).services).filter(
      ([, service]) => service.build !== undefined,
    )
    assert.ok(builtServices.length > 0)
    for (const [name, service] of builtServices)
      assert.equal(service.stop_grace_period, '30s', `${file}: ${name}`)
  }
  assert.match(readText('deploy/systemd/plumbline.service'), /^TimeoutStopSec=30$/m)
  assert.match(
    readText('deploy/helm/plumbline/templates/statefulset.yaml'),
    /terminationGracePeriodSeconds: 30/,
  )
})

it('every external route to the service hides the operator endpoints', () => {
  for (const path of ['/metrics', '/readyz'])
    for (const file of ['proxy/Caddyfile', 'proxy/nginx.conf', 'helm/plumbline/templates/ingress.yaml'])
      assert.ok(readText(`deploy/${file}`).includes(path), `${file}: ${path}`)
})
