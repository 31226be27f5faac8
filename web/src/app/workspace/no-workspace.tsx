import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Screen } from '../screen.tsx'
import { useSession } from '../session.tsx'

/** For a signed-in user who is not in any workspace. */
export function NoWorkspace() {
  const { name, signOut } = useSession()
  return (
    <Screen title="No workspace">
      <EmptyState title="You are not in a workspace yet" action={<Button onClick={signOut}>Sign out</Button>}>
        You are signed in as {name}. Ask a colleague to invite you, then open the link they send.
      </EmptyState>
    </Screen>
  )
}
