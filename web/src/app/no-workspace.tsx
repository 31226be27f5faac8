import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Screen } from './screen.tsx'
import { useSession } from './session.tsx'

/** For somebody who is signed in, and was taken out of every workspace or is in none yet. */
export function NoWorkspace() {
  const { name, signOut } = useSession()
  return (
    <Screen title="No workspace">
      <EmptyState title="You are in no workspace" action={<Button onClick={signOut}>Sign out</Button>}>
        You are signed in as {name}. Ask a colleague to invite you, and open the link that you are sent. Who
        is in a workspace may be able to make others.
      </EmptyState>
    </Screen>
  )
}
