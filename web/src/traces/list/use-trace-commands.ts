/** The palette's global trace commands: failed traces, and saved views. */
import { useNavigate } from '@tanstack/react-router'
import { useRead } from '../../app/api.ts'
import { useCommands } from '../../app/palette/commands.tsx'
import { readView, viewsPage } from './views/view-search.ts'

/** Views are read only while the palette is open. */
export function useTraceCommands(isAsked: boolean): void {
  const navigate = useNavigate()
  const views = useRead('views.list', { page: viewsPage }, { enabled: isAsked }).data?.views
  useCommands([
    {
      group: 'Traces',
      label: 'Failed traces',
      words: 'error',
      run: () => void navigate({ to: '/traces', search: { q: 'hasError:true' } }),
    },
    ...(views ?? []).map(({ id, name, search }) => ({
      id,
      group: 'Traces',
      label: `View: ${name}`,
      // A view without a range uses the default, not the range of the previous screen.
      run: () => void navigate({ to: '/traces', search: { range: undefined, ...readView(search) } }),
    })),
  ])
}
