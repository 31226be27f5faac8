import { Screen } from '../../app/screen.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'

export function DiffScreen() {
  return (
    <Screen title="Compare traces">
      <EmptyState title="Choose two traces">Two traces stand here beside each other, log by log.</EmptyState>
    </Screen>
  )
}
