import { Scale } from 'lucide-react'
import { Screen } from '../app/screen.tsx'
import { EmptyState } from '../ui/empty-state.tsx'

export function ExperimentsScreen() {
  return (
    <Screen title="Experiments">
      <EmptyState icon={<Scale size={20} />} title="Experiments">
        Compared runs over datasets appear here.
      </EmptyState>
    </Screen>
  )
}
