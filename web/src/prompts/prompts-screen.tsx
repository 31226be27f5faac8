import { FileText } from 'lucide-react'
import { Screen } from '../app/screen.tsx'
import { EmptyState } from '../ui/empty-state.tsx'

export function PromptsScreen() {
  return (
    <Screen title="Prompts">
      <EmptyState icon={<FileText size={20} />} title="Prompts">
        The prompts that your applications fetch appear here.
      </EmptyState>
    </Screen>
  )
}
