import type { operations } from '@plumbline/contract'
import { creating } from '../refusals.ts'
import type { Verb } from '../verb.ts'
import { ruleOf } from './rule.ts'
import { toAlert } from './view.ts'

/** `wake` says that something is due. */
export const makeCreate =
  (wake: () => void): Verb<typeof operations.alerts.create> =>
  async ({ name, note, channelIds, isEnabled, ...ruleInput }, { workspace, now }) => {
    const alert = {
      name,
      note: note ?? '',
      rule: ruleOf(ruleInput),
      channelIds: channelIds ?? [],
      isEnabled: isEnabled ?? true,
    }
    const created = await creating('alert', name, workspace.alerts.create(alert, now))
    wake()
    return { alert: toAlert(created) }
  }
