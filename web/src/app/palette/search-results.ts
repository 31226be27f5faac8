/**
 * The palette's search results in the workspace: prompts, datasets, experiments, evaluators, features, alerts,
 * dashboards, queues and settings by name.
 */
import { useNavigate } from '@tanstack/react-router'
import { useRead } from '../api.ts'
import type { Command } from './commands.tsx'

const settings = [
  { to: '/settings/workspace', label: 'Workspace', words: 'name retention days delete' },
  { to: '/settings/members', label: 'Members', words: 'people users roles invite team' },
  { to: '/settings/keys', label: 'API keys', words: 'tokens secrets' },
  { to: '/settings/prices', label: 'Prices', words: 'costs models overrides' },
  { to: '/settings/masking', label: 'Masking', words: 'personal data privacy pii redact rules' },
  { to: '/settings/you', label: 'You', words: 'profile password sessions theme appearance' },
] as const

/** The number of entries searched per kind. */
const limit = 1000

/** All entries as commands; the palette filters them. */
export function useFoundThings(): readonly Command[] {
  const navigate = useNavigate()
  const prompts = useRead('prompts.list', { limit }).data?.prompts ?? []
  const datasets = useRead('datasets.list', {}).data?.datasets ?? []
  const experiments = useRead('experiments.list', { limit }).data?.experiments ?? []
  const evaluators = useRead('evaluators.list', {}).data?.evaluators ?? []
  const alerts = useRead('alerts.list', {}).data?.alerts ?? []
  const dashboards = useRead('dashboards.list', {}).data?.dashboards ?? []
  const queues = useRead('annotationQueues.list', {}).data?.queues ?? []
  const features = useRead('features.list', {}).data?.features ?? []
  return [
    ...prompts.map(({ slug, name }) => ({
      id: `prompt ${slug}`,
      group: 'Prompts',
      label: name,
      hint: slug,
      words: slug,
      run: () => void navigate({ to: '/prompts/$slug', params: { slug } }),
    })),
    ...datasets.map(({ slug, name }) => ({
      id: `dataset ${slug}`,
      group: 'Datasets',
      label: name,
      hint: slug,
      words: slug,
      run: () => void navigate({ to: '/datasets/$slug', params: { slug } }),
    })),
    ...experiments.map(({ id, name, featureSlug }) => ({
      id: `experiment ${id}`,
      group: 'Experiments',
      label: name,
      words: featureSlug,
      run: () => void navigate({ to: '/experiments/compare', search: { ids: id } }),
    })),
    ...evaluators.map(({ slug, name }) => ({
      id: `evaluator ${slug}`,
      group: 'Evaluators',
      label: name,
      hint: slug,
      words: slug,
      run: () => void navigate({ to: '/evaluators/$slug', params: { slug } }),
    })),
    ...features.map(({ slug, name }) => ({
      id: `feature ${slug}`,
      group: 'Traces of a feature',
      label: name,
      hint: slug,
      words: slug,
      run: () => void navigate({ to: '/traces', search: { q: `feature:${slug}` } }),
    })),
    ...alerts.map(({ id, name }) => ({
      id: `alert ${id}`,
      group: 'Alerts',
      label: name,
      run: () => void navigate({ to: '/alerts/$id', params: { id } }),
    })),
    ...dashboards.map(({ slug, name }) => ({
      id: `dashboard ${slug}`,
      group: 'Dashboards',
      label: name,
      hint: slug,
      words: slug,
      run: () => void navigate({ to: '/dashboard/$slug', params: { slug } }),
    })),
    ...queues.map(({ id, name }) => ({
      id: `queue ${id}`,
      group: 'Annotation queues',
      label: name,
      run: () => void navigate({ to: '/annotation/$id', params: { id } }),
    })),
    ...settings.map(({ to, label, words }) => ({
      id: to,
      group: 'Settings',
      label,
      words: `settings ${words}`,
      run: () => void navigate({ to }),
    })),
  ]
}
