import { ChartNoAxesColumn } from 'lucide-react'
import { Screen } from '../app/screen.tsx'
import { EmptyState } from '../ui/empty-state.tsx'

export function DashboardScreen() {
  return (
    <Screen title="Dashboard">
      <EmptyState icon={<ChartNoAxesColumn size={20} />} title="Dashboard">
        Volume, cost and quality over time appear here.
      </EmptyState>
    </Screen>
  )
}
