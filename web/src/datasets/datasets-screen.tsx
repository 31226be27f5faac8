import { Table2 } from 'lucide-react'
import { Screen } from '../app/screen.tsx'
import { EmptyState } from '../ui/empty-state.tsx'

export function DatasetsScreen() {
  return (
    <Screen title="Datasets">
      <EmptyState icon={<Table2 size={20} />} title="Datasets">
        The cases that your applications are tested with appear here.
      </EmptyState>
    </Screen>
  )
}
