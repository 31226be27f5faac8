import { Gauge } from 'lucide-react'
import { Screen } from '../app/screen.tsx'
import { EmptyState } from '../ui/empty-state.tsx'

export function EvaluatorsScreen() {
  return (
    <Screen title="Evaluators">
      <EmptyState icon={<Gauge size={20} />} title="Evaluators">
        What judges the outputs appears here.
      </EmptyState>
    </Screen>
  )
}
