/** Links from a run to its comparison with an earlier run on the same dataset. */
import { useNavigate } from '@tanstack/react-router'
import { ChevronDown, GitCompareArrows } from 'lucide-react'
import { useRead } from '../../app/api.ts'
import { Button } from '../../ui/button.tsx'
import { Menu } from '../../ui/overlay/menu.tsx'
import type { Run } from './run-badge.tsx'

const offeredMax = 20

export function CompareMenu({ run }: { readonly run: Run }) {
  const navigate = useNavigate()
  const runs = useRead('experimentRuns.list', { limit: 200 }).data?.runs ?? []
  const experiments = useRead('experiments.list', { limit: 200 }).data?.experiments ?? []
  const nameOf = (id: string): string => experiments.find((experiment) => experiment.id === id)?.name ?? id
  const others = runs
    .filter(({ id, datasetSlug }) => id !== run.id && datasetSlug === run.datasetSlug)
    .slice(0, offeredMax)
  if (others.length === 0) return null
  return (
    <Menu
      trigger={
        <Button look="primary" icon={<GitCompareArrows aria-hidden size={14} />}>
          Compare with
          <ChevronDown aria-hidden size={14} />
        </Button>
      }
      items={others.map(({ experimentId }) => ({
        label: nameOf(experimentId),
        onSelect: () =>
          void navigate({
            to: '/experiments/compare',
            search: { ids: `${experimentId},${run.experimentId}` },
          }),
      }))}
    />
  )
}
