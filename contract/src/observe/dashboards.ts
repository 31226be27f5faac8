/** Dashboards of one's own: charts of metrics, in an order, that everyone in the workspace sees. */
import { type Static, Type } from 'typebox'
import { operation } from '../interface/operation.ts'
import { Absentable, FreeObject, Instant, NamedObject, Nullable, Slug } from '../interface/shapes.ts'
import { dimensions, measures } from '../traces/metrics.ts'
import { metadataFilterPrefix } from '../traces/trace-filters.ts'

export const chartTypes = ['lines', 'bars', 'total', 'ranking'] as const
export type ChartType = (typeof chartTypes)[number]

export const dashboardChartsMax = 50

const Title = Type.String({ minLength: 1, maxLength: 200, description: 'Heading of the chart.' })
const MeasureName = Type.Enum([...measures], { description: 'What is measured, as in metrics.query.' })
const ChartKind = Type.Enum([...chartTypes], {
  description:
    '`lines` and `bars` over time; `total`, one number beside that of the period before; `ranking`, the largest groups, which needs a dimension.',
})
const DimensionName = Type.String({
  minLength: 1,
  maxLength: 200,
  description: `Divides the measure: ${dimensions.join(', ')} or ${metadataFilterPrefix}KEY.`,
})
const Filters = FreeObject(
  'Filters of GET /monitor/traces, but for `q`, such as `{"featureSlug": "chat"}`; all traces when absent.',
)
const Width = Type.Integer({ minimum: 1, maximum: 3, description: 'Columns that it takes, of three.' })

export const DashboardChart = NamedObject('DashboardChart', 'One chart of a dashboard.', {
  title: Title,
  measure: MeasureName,
  chart: ChartKind,
  dimension: Nullable(DimensionName),
  filters: Filters,
  width: Width,
  comparesWithPrevious: Type.Boolean({ description: 'Whether it also shows the period before.' }),
})
export type DashboardChart = Static<typeof DashboardChart>

const ChartInput = Type.Object({
  title: Title,
  measure: MeasureName,
  chart: ChartKind,
  dimension: Absentable(DimensionName),
  filters: Type.Optional(Filters),
  width: Type.Optional(Width),
  comparesWithPrevious: Type.Optional(Type.Boolean({ description: 'False by default.' })),
})
export type DashboardChartInput = Static<typeof ChartInput>

const slug = Slug('Its name in addresses.')
const Name = Type.String({ minLength: 1, maxLength: 200, description: 'What people call it.' })
const Description = Type.String({ maxLength: 2000, description: 'What it is for; may be empty.' })
const Charts = Type.Array(ChartInput, { maxItems: dashboardChartsMax, description: 'In their order.' })
const DashboardSlug = Type.String({ description: 'Slug of the dashboard.' })

export const Dashboard = NamedObject('Dashboard', 'Charts in an order, under a name.', {
  slug,
  name: Name,
  description: Description,
  charts: Type.Array(DashboardChart, { description: 'In their order.' }),
  revision: Type.Integer({ description: 'Grows with each change.' }),
  createdAt: Instant('When it was created.'),
  updatedAt: Instant('When it was last changed.'),
})
export type Dashboard = Static<typeof Dashboard>

export const list = operation({
  name: 'dashboards.list',
  method: 'GET',
  path: '/dashboards',
  summary: 'Lists the dashboards of the workspace, by name.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({}),
  success: 200,
  output: Type.Object({ dashboards: Type.Array(Dashboard) }),
  errors: [],
})

export const get = operation({
  name: 'dashboards.get',
  method: 'GET',
  path: '/dashboards/{slug}',
  summary: 'Returns a dashboard with its charts. `metrics.query` has their values.',
  scope: 'read',
  role: 'viewer',
  input: Type.Object({ slug: DashboardSlug }),
  success: 200,
  output: Type.Object({ dashboard: Dashboard }),
  errors: ['dashboard_not_found'],
})

export const create = operation({
  name: 'dashboards.create',
  method: 'POST',
  path: '/dashboards',
  summary: 'Creates a dashboard for everyone in the workspace.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({
    slug,
    name: Name,
    description: Type.Optional(Description),
    charts: Type.Optional(Charts),
  }),
  success: 201,
  output: Type.Object({ dashboard: Dashboard }),
  errors: ['invalid_request', 'already_exists'],
})

export const update = operation({
  name: 'dashboards.update',
  method: 'PATCH',
  path: '/dashboards/{slug}',
  summary: 'Renames a dashboard or replaces its charts.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({
    slug: DashboardSlug,
    name: Absentable(Name),
    description: Absentable(Description),
    charts: Type.Optional(Charts),
    revision: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 2_147_483_647,
        description: 'The revision that was read: 409 if somebody has changed it since.',
      }),
    ),
  }),
  success: 200,
  output: Type.Object({ dashboard: Dashboard }),
  errors: ['invalid_request', 'dashboard_not_found', 'dashboard_changed'],
})

/** Exported as `delete`, which is no legal name for a constant. */
const remove = operation({
  name: 'dashboards.delete',
  method: 'DELETE',
  path: '/dashboards/{slug}',
  summary: 'Deletes a dashboard.',
  scope: 'manage',
  role: 'editor',
  input: Type.Object({ slug: DashboardSlug }),
  success: 204,
  output: null,
  errors: ['dashboard_not_found'],
})

export { remove as delete }
