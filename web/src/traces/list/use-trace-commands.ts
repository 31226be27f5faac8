/** What the palette offers of traces from anywhere: those of a feature or a model, those that failed, saved views. */
import { useNavigate } from '@tanstack/react-router'
import { useRead } from '../../app/api.ts'
import { useCommands } from '../../app/commands.tsx'
import { rangeInput, useRange } from '../../app/use-range.ts'
import { writeClause } from '../filter/filter-text.ts'
import { readView, viewsPage } from './view-search.ts'

const valuesMax = 20

/** Asked for only while the palette is open. */
export function useTraceCommands(isAsked: boolean): void {
  const navigate = useNavigate()
  const { range } = useRange()
  const facets = useRead(
    'traces.facets',
    { ...rangeInput(range), fields: 'feature,model', limit: valuesMax },
    { enabled: isAsked },
  ).data?.facets
  const views = useRead('views.list', { page: viewsPage }, { enabled: isAsked }).data?.views
  const show = (q: string): void => void navigate({ to: '/traces', search: { q } })
  useCommands([
    { group: 'Traces', label: 'Traces that failed', words: 'error', run: () => show('hasError:true') },
    ...(facets ?? []).flatMap(({ field, values }) =>
      values.map(({ value }) => ({
        group: 'Traces',
        label: `Traces of ${field} ${value}`,
        run: () => show(writeClause({ type: 'values', field, values: [value], isNot: false })),
      })),
    ),
    ...(views ?? []).map(({ name, search }) => ({
      group: 'Traces',
      label: `View: ${name}`,
      run: () => void navigate({ to: '/traces', search: readView(search) }),
    })),
  ])
}
