import { useState } from 'react'
import type { SessionAnswer } from '../../../contract/identity/signIn.ts'
import {
  LOCK_HOURS,
  type DestinationLock as Lock,
  switchLockOff,
  switchLockOn,
} from '../../../contract/money/destinationLock.ts'
import { getLimits } from '../../../contract/money/limits.ts'
import { Button } from '../../../design/Button.tsx'
import { DateTime } from '../../../design/DateTime.tsx'
import { Modal } from '../../../design/Modal.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { Skeleton } from '../../../design/Skeleton.tsx'
import { Status } from '../../../design/Status.tsx'
import { toast } from '../../../design/toasts.ts'
import { useAction } from '../../lib/action.ts'
import { call } from '../../lib/api.ts'
import { Loaded } from '../../lib/Loaded.tsx'
import { useResource } from '../../lib/resource.ts'
import { ConfirmedForm } from './ConfirmedForm.tsx'

/** The lock "only to my saved destinations": on at once, off after 48 hours. */
export function DestinationLock({ session }: { session: SessionAnswer | null }) {
  const limits = useResource('withdrawal limits', () => call(getLimits))
  return (
    <Panel title="Only saved destinations">
      <p className="small soft">
        Withdrawals then go only to addresses in your address book, and to bank accounts that you confirmed
        before. A new address can be used {LOCK_HOURS} hours after you save it. A new bank account needs this
        to be off. It stays on if you lose a second factor or recover your account.
      </p>
      <Loaded resource={limits} waiting={<Skeleton width="medium" height="control" />}>
        {({ destinationLock }) => (
          <Choice lock={destinationLock} email={session?.email ?? ''} onChanged={limits.reload} />
        )}
      </Loaded>
    </Panel>
  )
}

interface ChoiceProps {
  lock: Lock | null
  email: string
  onChanged: () => void
}

function Choice({ lock, email, onChanged }: ChoiceProps) {
  const [isAsking, setAsking] = useState(false)
  const on = useAction(async () => {
    await call(switchLockOn)
    toast.success('Withdrawals go only to saved destinations.')
    onChanged()
  })
  if (lock === null)
    return (
      <div className="row">
        <Button busy={on.busy} onClick={on.start}>
          Switch On Now
        </Button>
      </div>
    )
  return (
    <>
      <p>
        <Status status="active" label="On" />{' '}
        <span>
          since <DateTime at={lock.since} />
        </span>
      </p>
      {lock.offFrom === null ? (
        <div className="row">
          <Button aria-haspopup="dialog" onClick={() => setAsking(true)}>
            Switch Off in {LOCK_HOURS} Hours
          </Button>
        </div>
      ) : (
        <Notice
          tone="caution"
          title="This will be switched off"
          actions={
            <Button size="small" busy={on.busy} onClick={on.start}>
              Keep It On
            </Button>
          }
        >
          From <DateTime at={lock.offFrom} />, withdrawals can go to new destinations. If you did not ask for
          this, keep it on and change your password.
        </Notice>
      )}
      <Modal open={isAsking} onClose={() => setAsking(false)} title="Switch off “only saved destinations”?">
        <ConfirmedForm
          endpoint={switchLockOff}
          focus="password"
          email={email}
          label="Switch off only saved destinations"
          submitLabel={`Switch Off in ${LOCK_HOURS} Hours`}
          submitVariant="danger"
          onDone={() => {
            setAsking(false)
            toast.success(`It stays on for ${LOCK_HOURS} hours. We sent you a mail.`)
            onChanged()
          }}
        >
          <p>
            It stays on for {LOCK_HOURS} hours. Neither you nor we can shorten that. You can keep it on at any
            time until then.
          </p>
        </ConfirmedForm>
      </Modal>
    </>
  )
}
