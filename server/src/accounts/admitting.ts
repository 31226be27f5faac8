/** Access control: users, API keys, members, and the workspaces themselves. */

import { fileStoreOf } from '../datasets/files/file-store.ts'
import type { Drain } from '../ingest/monitor/drain.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { Module } from '../module.ts'
import type { Foundation } from '../process/foundation.ts'
import type { Workspaces } from '../workspace/workspace.ts'
import { accountRoutes } from './accounts/routes.ts'
import { invitationRoutes } from './invitations/routes.ts'
import { keyRoutes } from './keys/routes.ts'
import { memberRoutes } from './members/routes.ts'
import { makeSigningIn, type SigningIn } from './people/signing-in.ts'
import { sessionRoutes } from './session/routes.ts'
import { handleWorkspaceDeletion } from './workspaces/deletion.ts'
import { workspaceRoutes } from './workspaces/routes.ts'

interface AdmittingDeps {
  readonly workspaces: Workspaces
  readonly drain: Pick<Drain, 'pauseWhile'>
  readonly jobs: Jobs
}

export interface Admitting extends Module {
  readonly signingIn: SigningIn
}

export function makeAdmitting(foundation: Foundation, { workspaces, drain, jobs }: AdmittingDeps): Admitting {
  const { control, traceStore, config, dataFolder, secrets, passwordHash, signals, logger, now } = foundation
  const { people, deletions } = control
  const signingIn = makeSigningIn({ control, config, secret: secrets.sessions, passwordHash, logger, now })
  const { sessions, providerName, linkMails, forgottenPassword } = signingIn
  signals.workspaceChanged.subscribe(() => sessions.markStale())
  handleWorkspaceDeletion(jobs, {
    deletions,
    traceStore,
    fileStoreOf: (id) => fileStoreOf(id, { config, dataFolder, control }),
    pauseDrainWhile: drain.pauseWhile,
  })
  const onDeletion = (workspaceId: string): void => {
    signals.workspaceChanged.notify(workspaceId)
    signals.keysEnded.notify({ workspaceId })
    sessions.forget()
    jobs.notify()
  }
  const creation = config.PLUMBLINE_WORKSPACE_CREATION
  return {
    signingIn,
    routes: [
      ...keyRoutes(signals.keysEnded.notify),
      ...sessionRoutes(workspaces.of, creation),
      ...workspaceRoutes(people, workspaces.of, creation, sessions.markStale, {
        deletions,
        onMarked: onDeletion,
      }),
      ...accountRoutes(people, sessions.forget),
      ...memberRoutes({ people, providerName, linkMails, onChanged: sessions.forget }),
      ...invitationRoutes({ people, linkMails, onMember: sessions.markStale }),
    ],
    services:
      forgottenPassword === undefined
        ? []
        : [{ name: 'password mails', start: () => undefined, stop: forgottenPassword.drained }],
  }
}
