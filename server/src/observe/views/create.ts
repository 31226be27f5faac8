import type { operations } from '@plumbline/contract'
import type { Verb } from '../../requests/verb.ts'
import { toView } from './view.ts'

export const create: Verb<typeof operations.views.create> = async (
  { name, page, search },
  { workspace, now },
) => ({ view: toView(await workspace.views.create({ name, page, search }, now)) })
