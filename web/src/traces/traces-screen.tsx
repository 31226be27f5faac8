import { ListTree } from 'lucide-react'
import { Screen } from '../app/screen.tsx'
import { EmptyState } from '../ui/empty-state.tsx'

export function TracesScreen() {
  return (
    <Screen title="Traces">
      <EmptyState icon={<ListTree size={20} />} title="Traces">
        The runs of your applications appear here.
      </EmptyState>
    </Screen>
  )
}
