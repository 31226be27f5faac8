import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { NewWorkspaceDialog } from './new-workspace-dialog.tsx'
import { Screen } from './screen.tsx'
import { useSession } from './session.tsx'
import { useGoToWorkspace } from './workspace-menu.tsx'

/** For somebody who is signed in, and was taken out of every workspace or is in none yet. */
export function NoWorkspace() {
  const { name, signOut } = useSession()
  const [isMaking, setMaking] = useState(false)
  const goTo = useGoToWorkspace()
  return (
    <Screen title="No workspace">
      <EmptyState
        title="You are in no workspace"
        action={
          <div className="flex gap-2">
            <Button look="primary" onClick={() => setMaking(true)}>
              New workspace
            </Button>
            <Button onClick={signOut}>Sign out</Button>
          </div>
        }
      >
        You are signed in as {name}. Ask a colleague to invite you and open the link that you are sent, or
        make a workspace of your own.
      </EmptyState>
      <NewWorkspaceDialog isOpen={isMaking} onClose={() => setMaking(false)} onMade={goTo} />
    </Screen>
  )
}
