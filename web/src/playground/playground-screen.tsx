import { FlaskConical } from 'lucide-react'
import { Screen } from '../app/screen.tsx'
import { EmptyState } from '../ui/empty-state.tsx'

export function PlaygroundScreen() {
  return (
    <Screen title="Playground">
      <EmptyState icon={<FlaskConical size={20} />} title="Playground">
        Run a prompt against several models side by side here.
      </EmptyState>
    </Screen>
  )
}
