import { type EvaluatorVersion, type operations, ServiceError } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { nameField } from '../../workspace/name-field.ts'

/** To restore a version, pass its kind and configuration to `evaluators.update`. */
export const versions: Verb<typeof operations.evaluators.versions> = async ({ slug }, { workspace }) => {
  const versions = await workspace.evaluators.versions(slug)
  const [current] = versions
  if (current === undefined) throw new ServiceError('evaluator_not_found', { slug })
  const scores = await workspace.traces.scoresByVersion(slug)
  const names = await workspace.members.names([
    ...new Set(versions.flatMap(({ createdBy }) => createdBy ?? [])),
  ])
  return {
    versions: versions.map(
      ({ version, kind, config, createdAt, createdBy }): EvaluatorVersion => ({
        version,
        // Safe: the contract's schema admits only these kinds, and only objects as their configuration.
        kind: kind as EvaluatorVersion['kind'],
        config: JSON.parse(config) as EvaluatorVersion['config'],
        createdAt: createdAt.toISOString(),
        ...(createdBy === undefined ? {} : { createdBy, ...nameField(names, 'createdByName', createdBy) }),
        scores: scores.get(version) ?? 0,
        isCurrent: version === current.version,
      }),
    ),
  }
}
