import type { operations } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { toView } from './view.ts'

export const list: Verb<typeof operations.views.list> = async ({ page }, { workspace }) => ({
  views: (await workspace.views.list(page ?? null)).map(toView),
})
