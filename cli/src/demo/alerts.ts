/** Alerts of the demo, created after the traces that they measure. They have no channels, since a demo sends nothing. */
import type { InputOf, operations } from '@plumbline/sdk'
import type { Client } from './client.ts'
import type { SetupCounts } from './define.ts'

const alerts: readonly InputOf<typeof operations.alerts.create>[] = [
  {
    name: 'Runs fail',
    note: 'Check which model fails. If only one does, route its traffic to another.',
    measure: 'errorRate',
    windowMinutes: 10_080,
    condition: 'above',
    threshold: 0.01,
    recoveryThreshold: 0.005,
  },
  {
    name: 'Daily cost',
    measure: 'cost',
    windowMinutes: 1440,
    condition: 'above',
    threshold: 500,
    recoveryThreshold: 400,
  },
  {
    name: 'Support is slow',
    measure: 'p95DurationMs',
    filters: { featureSlug: 'support-chat' },
    windowMinutes: 60,
    condition: 'above',
    threshold: 20_000,
    forMinutes: 5,
    minimumSamples: 20,
  },
]

/** Creates the alerts that do not exist yet. */
export async function defineAlerts(client: Client, setupCounts: SetupCounts): Promise<void> {
  const existing = new Set((await client.alerts.list({})).alerts.map(({ name }) => name))
  const counts = { made: 0, alreadyThere: 0 }
  for (const alert of alerts) {
    if (existing.has(alert.name)) counts.alreadyThere++
    else {
      await client.alerts.create(alert)
      counts.made++
    }
  }
  setupCounts.set('alerts', counts)
}
