import { cancelEmailChange, type EmailChange } from '../../../contract/identity/emailChange.ts'
import { Button } from '../../../design/Button.tsx'
import { DateTime } from '../../../design/DateTime.tsx'
import { Facts } from '../../../design/Facts.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { Status } from '../../../design/Status.tsx'
import { toast } from '../../../design/toasts.ts'
import { ApiFailure } from '../../lib/ApiFailure.ts'
import { useAction } from '../../lib/action.ts'
import { call } from '../../lib/api.ts'

interface EmailChangeWaitingProps {
  change: EmailChange
  /** Asks for the same change anew. */
  onAgain: () => void
  /** It waits no longer. */
  onEnded: () => void
}

/** A change of e-mail address that was asked for: who has yet to confirm it, and two ways on. */
export function EmailChangeWaiting({ change, onAgain, onEnded }: EmailChangeWaitingProps) {
  const cancelling = useAction(() => cancel(onEnded))
  return (
    <Panel title="A change of your e-mail address waits">
      <p className="small soft">
        It happens once both mailboxes have confirmed it. If it was not you who asked, call it off and choose
        a new password.
      </p>
      <Facts
        facts={[
          { label: 'New address', value: change.newEmail },
          { label: 'Your present mailbox', value: <Word isGiven={change.isConfirmedByPresent} /> },
          { label: 'The new mailbox', value: <Word isGiven={change.isConfirmedByNew} /> },
          { label: 'The links work until', value: <DateTime at={change.expiresAt} /> },
        ]}
      />
      <div className="row">
        <Button size="small" aria-haspopup="dialog" onClick={onAgain}>
          Send Both Mails Again
        </Button>
        <Button size="small" busy={cancelling.busy} onClick={cancelling.start}>
          Call It Off
        </Button>
      </div>
    </Panel>
  )
}

function Word({ isGiven }: { isGiven: boolean }) {
  return isGiven ? (
    <Status status="approved" label="Confirmed" />
  ) : (
    <Status status="pending" label="Not confirmed yet" />
  )
}

async function cancel(onEnded: () => void): Promise<void> {
  try {
    const { msg } = await call(cancelEmailChange)
    toast.success(msg)
    onEnded()
  } catch (failure) {
    // It happened, or ended, a moment earlier.
    if (failure instanceof ApiFailure && failure.status === 409) onEnded()
    throw failure
  }
}
