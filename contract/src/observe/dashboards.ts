/** Custom dashboards: ordered charts of metrics, visible to everyone in the workspace. */
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
    '`lines` and `bars`: over time; `total`: one number, beside that of the previous period; `ranking`: the largest groups, which needs a dimension.',
})
const DimensionName = Type.String({
  minLength: 1,
  maxLength: 200,
  description: `Splits the measure by ${dimensions.join(', ')} or ${metadataFilterPrefix}KEY.`,
})
const Filters = FreeObject(
  'Filters of GET /monitor/traces, except `q`, such as `{"featureSlug": "chat"}`; all traces when absent.',
)
const Width = Type.Integer({ minimum: 1, maximum: 3, description: 'Width in columns, out of three.' })

export const DashboardChart = NamedObject('DashboardChart', 'One chart of a dashboard.', {
  title: Title,
  measure: MeasureName,
  chart: ChartKind,
  dimension: Nullable(DimensionName),
  filters: Filters,
  width: Width,
  comparesWithPrevious: Type.Boolean({ description: 'Whether it also shows the previous period.' }),
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

const slug = Slug('Its name in URLs.')
const Name = Type.String({ minLength: 1, maxLength: 200, description: 'Name of the dashboard.' })
const Description = Type.String({ maxLength: 2000, description: 'Purpose of the dashboard; may be empty.' })
const Charts = Type.Array(ChartInput, { maxItems: dashboardChartsMax, description: 'The charts, in order.' })
const DashboardSlug = Type.String({ description: 'Slug of the dashboard.' })

export const Dashboard = NamedObject('Dashboard', 'An ordered set of charts.', {
  slug,
  name: Name,
  description: Description,
  charts: Type.Array(DashboardChart, { description: 'The charts, in order.' }),
  revision: Type.Integer({ description: 'Increases with each change.' }),
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
  summary: 'Returns a dashboard with its charts. `metrics.query` returns their values.',
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
        description: 'The revision that you read; 409 if the dashboard has changed since.',
      }),
    ),
  }),
  success: 200,
  output: Type.Object({ dashboard: Dashboard }),
  errors: ['invalid_request', 'dashboard_not_found', 'dashboard_changed'],
})

/** Exported as `delete`, a reserved word. */
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
