import { Rocket } from 'lucide-react'
import { Screen } from '../app/screen.tsx'
import { EmptyState } from '../ui/empty-state.tsx'

export function GetStartedScreen() {
  return (
    <Screen title="Get started">
      <EmptyState icon={<Rocket size={20} />} title="Get started">
        Send a first trace from here.
      </EmptyState>
    </Screen>
  )
}
