import type { operations } from '@plumbline/contract'
import { mapConflict } from '../../requests/map-storage-errors.ts'
import type { Verb } from '../../requests/verb.ts'
import { readRule } from './rule.ts'
import { toAlert } from './view.ts'

/** `notify` is called when an alert is due for a check. */
export const makeCreate =
  (notify: () => void): Verb<typeof operations.alerts.create> =>
  async ({ name, note, channelIds, isEnabled, ...ruleInput }, { workspace, now }) => {
    const alert = {
      name,
      note: note ?? '',
      rule: readRule(ruleInput),
      channelIds: channelIds ?? [],
      isEnabled: isEnabled ?? true,
    }
    const created = await mapConflict('alert', name, workspace.alerts.create(alert, now))
    notify()
    return { alert: toAlert(created) }
  }
