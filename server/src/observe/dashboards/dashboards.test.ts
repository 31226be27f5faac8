import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '@plumbline/contract'
import { startTestApp, type TestWorkspace } from '../../../testing/test-app.ts'

const { list, get, create, update, delete: remove } = operations.dashboards
const { newWorkspace } = await startTestApp()

const costByCustomer = {
  title: 'Cost by customer',
  measure: 'cost',
  chart: 'ranking',
  dimension: 'organization',
  filters: { featureSlug: 'chat', 'metadata.plan': 'pro' },
  width: 2,
  comparesWithPrevious: true,
}

const makeDashboard = async (workspace: TestWorkspace, fields: object = {}) =>
  (await workspace.ok(create, { slug: 'support', name: 'Support', charts: [costByCustomer], ...fields }))
    .dashboard

describe('dashboards.create', () => {
  it('201: returns the dashboard with its charts, and their defaults', async () => {
    const workspace = await newWorkspace()
    const { createdAt, updatedAt, ...dashboard } = await makeDashboard(workspace, {
      charts: [costByCustomer, { title: 'Failed', measure: 'errorRate', chart: 'lines' }],
    })
    const failed = { dimension: null, filters: {}, width: 1, comparesWithPrevious: false }
    assert.deepEqual(dashboard, {
      slug: 'support',
      name: 'Support',
      description: '',
      charts: [costByCustomer, { title: 'Failed', measure: 'errorRate', chart: 'lines', ...failed }],
      revision: 1,
    })
    assert.equal(createdAt, updatedAt)
  })

  it('400: names the wrong field and its chart', async () => {
    const workspace = await newWorkspace()
    const wrong: [path: string, fields: object][] = [
      ['slug', { slug: 'No Slug' }],
      ['name', { name: '' }],
      ['charts[0].measure', { charts: [{ ...costByCustomer, measure: 'wisdom' }] }],
      ['charts[1].dimension', { charts: [costByCustomer, { ...costByCustomer, dimension: 'weather' }] }],
      ['charts[0].dimension', { charts: [{ ...costByCustomer, dimension: null }] }],
      ['charts[0].dimension', { charts: [{ ...costByCustomer, chart: 'total' }] }],
      ['charts[0].width', { charts: [{ ...costByCustomer, width: 4 }] }],
      ['charts[0]: filters.hasError', { charts: [{ ...costByCustomer, filters: { hasError: 'maybe' } }] }],
      ['charts[0]: filters.featureslug', { charts: [{ ...costByCustomer, filters: { featureslug: 'x' } }] }],
      ['charts[0]: where', { charts: [{ ...costByCustomer, filters: { where: '{' } }] }],
    ]
    for (const [path, fields] of wrong) {
      const body = { slug: 'support', name: 'Support', ...fields }
      const error = await workspace.refused(create, body, 400)
      assert.ok(error.startsWith(`${path}`), `${JSON.stringify(fields)}: ${error}`)
    }
  })

  it('409: for a slug that another dashboard has', async () => {
    const workspace = await newWorkspace()
    await makeDashboard(workspace)
    await workspace.refused(create, { slug: 'support', name: 'Another' }, 409)
  })
})

describe('dashboards.list', () => {
  it('200: lists the dashboards of the workspace by name', async () => {
    const [workspace, other] = [await newWorkspace(), await newWorkspace()]
    await makeDashboard(other)
    await makeDashboard(workspace, { slug: 'z', name: 'A' })
    await makeDashboard(workspace, { slug: 'a', name: 'B' })
    const { dashboards } = await workspace.ok(list)
    assert.deepEqual(
      dashboards.map(({ name }) => name),
      ['A', 'B'],
    )
  })
})

describe('dashboards.get', () => {
  it('200: returns what was created, in a form that can be created elsewhere', async () => {
    const [workspace, other] = [await newWorkspace(), await newWorkspace()]
    const dashboard = await makeDashboard(workspace)
    assert.deepEqual((await workspace.ok(get, { slug: 'support' })).dashboard, dashboard)
    const { revision, createdAt, updatedAt, ...content } = dashboard
    const copy = (await other.ok(create, content)).dashboard
    assert.deepEqual(copy.charts, dashboard.charts)
  })

  it('404: for a dashboard of another workspace', async () => {
    await makeDashboard(await newWorkspace())
    await (await newWorkspace()).refused(get, { slug: 'support' }, 404)
  })
})

describe('dashboards.update', () => {
  it('200: changes the named fields and leaves the rest', async () => {
    const workspace = await newWorkspace()
    const dashboard = await makeDashboard(workspace)
    const renamed = (await workspace.ok(update, { slug: 'support', name: 'Help', description: 'Mine' }))
      .dashboard
    assert.deepEqual(
      { ...renamed, updatedAt: '' },
      { ...dashboard, name: 'Help', description: 'Mine', revision: 2, updatedAt: '' },
    )
    const emptied = await workspace.ok(update, { slug: 'support', charts: [], description: '' })
    assert.deepEqual(emptied.dashboard.charts, [])
    assert.equal(emptied.dashboard.description, '')
  })

  it('400: names the wrong chart', async () => {
    const workspace = await newWorkspace()
    await makeDashboard(workspace)
    const charts = [{ ...costByCustomer, dimension: 'weather' }]
    assert.match(
      await workspace.refused(update, { slug: 'support', charts }, 400),
      /^charts\[0\]\.dimension: /,
    )
  })

  it('404: for a dashboard that does not exist', async () => {
    await (await newWorkspace()).refused(update, { slug: 'support', name: 'Mine', revision: 1 }, 404)
  })

  it('409: for a revision that has changed since', async () => {
    const workspace = await newWorkspace()
    const { revision } = await makeDashboard(workspace)
    await workspace.ok(update, { slug: 'support', name: 'First', revision })
    await workspace.refused(update, { slug: 'support', name: 'Second', revision }, 409)
    assert.equal((await workspace.ok(get, { slug: 'support' })).dashboard.name, 'First')
  })
})

describe('dashboards.delete', () => {
  it('204: deletes it, and returns 404 from then on', async () => {
    const workspace = await newWorkspace()
    await makeDashboard(workspace)
    await workspace.ok(remove, { slug: 'support' })
    assert.deepEqual(await workspace.ok(list), { dashboards: [] })
    await workspace.refused(remove, { slug: 'support' }, 404)
  })
})
