import { useState } from 'react'
import {
  type ClosingConditions,
  type ClosingObstacle,
  closeAccount,
  getClosing,
} from '../../../contract/identity/closing.ts'
import type { SessionAnswer } from '../../../contract/identity/signIn.ts'
import { Button, ButtonLink } from '../../../design/Button.tsx'
import { DateTime } from '../../../design/DateTime.tsx'
import { Modal } from '../../../design/Modal.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { Skeleton } from '../../../design/Skeleton.tsx'
import { DAY_MS } from '../../../time.ts'
import { call } from '../../lib/api.ts'
import { clearDrafts } from '../../lib/drafts.ts'
import { Loaded } from '../../lib/Loaded.tsx'
import { useResource } from '../../lib/resource.ts'
import { getServerNow } from '../../lib/serverTime.ts'
import { logOut } from '../../lib/session.ts'
import { takeFocus } from '../../lib/takeFocus.ts'
import { ConfirmedForm } from './ConfirmedForm.tsx'
import styles from './Profile.module.css'

/** Operators cannot close their own account: another operator does that. */
export function CloseAccount({ session }: { session: SessionAnswer | null }) {
  const [isAsking, setAsking] = useState(false)
  const close = () => setAsking(false)
  if (session?.role === 'operator') return null
  return (
    <Panel title="Close my account">
      <p className="small soft">
        This is final. Withdraw your money first. Before you decide, we show what we keep and for how long.
      </p>
      <div className="row">
        <Button aria-haspopup="dialog" onClick={() => setAsking(true)}>
          Close My Account
        </Button>
      </div>
      <Modal open={isAsking} onClose={close} title="Close my account">
        <ClosingSteps email={session?.email ?? ''} onLeave={close} />
      </Modal>
    </Panel>
  )
}

interface ClosingStepsProps {
  email: string
  onLeave: () => void
}

function ClosingSteps({ email, onLeave }: ClosingStepsProps) {
  const closing = useResource('closing', () => call(getClosing))
  return (
    <Loaded resource={closing} waiting={<Skeleton height="block" />}>
      {({ obstacles, ...facts }) =>
        obstacles.length > 0 ? (
          <Obstacles obstacles={obstacles} onLeave={onLeave} />
        ) : (
          <LastQuestion {...facts} email={email} onLeave={onLeave} />
        )
      }
    </Loaded>
  )
}

const WAYS_OUT: Record<ClosingObstacle, { href: string; label: string }> = {
  frozen: { href: '/contact-us', label: 'Write to Us' },
  deposits: { href: '/dashboard/transaction-history', label: 'See the Requests' },
  withdrawals: { href: '/dashboard/transaction-history', label: 'See the Withdrawals' },
  correction: { href: '/contact-us', label: 'Write to Us' },
  invested: { href: '/dashboard/strategies', label: 'See Your Strategies' },
  owed: { href: '/dashboard/deposit', label: 'Deposit' },
  available: { href: '/dashboard/withdrawal', label: 'Withdraw' },
}

function Obstacles({
  obstacles,
  onLeave,
}: Pick<ClosingConditions, 'obstacles'> & Pick<ClosingStepsProps, 'onLeave'>) {
  return (
    <div className="stack" ref={takeFocus} tabIndex={-1}>
      <p>Your account cannot be closed yet:</p>
      <ul className={styles.obstacles}>
        {obstacles.map(({ kind, msg }) => (
          <li key={kind}>
            <p>{msg}</p>
            <ButtonLink size="small" href={WAYS_OUT[kind].href}>
              {WAYS_OUT[kind].label}
            </ButtonLink>
          </li>
        ))}
      </ul>
      <div className="row">
        <Button onClick={onLeave}>Not Now</Button>
      </div>
    </div>
  )
}

function LastQuestion({
  methods,
  keptDays,
  email,
  onLeave,
}: Omit<ClosingConditions, 'obstacles'> & ClosingStepsProps) {
  return (
    <ConfirmedForm
      endpoint={closeAccount}
      asksCodeAtOnce={methods.length > 0 && !methods.includes('passkey')}
      onDone={() => {
        clearDrafts()
        logOut()
        location.replace('/account-closed')
      }}
      email={email}
      submitLabel="Close My Account"
      submitVariant="danger"
      label="Close my account"
      actions={
        <Button variant="quiet" onClick={onLeave}>
          Keep It
        </Button>
      }
    >
      <Notice tone="caution" title="This cannot be undone">
        You are signed out everywhere, and nobody can sign in to this account again.
      </Notice>
      <ul className={styles.kept}>
        <li>
          Deleted at once: your address book, devices, second factor, activity log and mail preferences.
        </li>
        <li>
          Kept until <Until days={keptDays.documents} />
          <span>
            : your identity documents, because the law requires it. Then we delete their keys, so that nobody
            can read them.
          </span>
        </li>
        <li>
          Kept until <Until days={keptDays.person} />
          <span>: your personal information, receipts and messages. Then we erase them.</span>
        </li>
        <li>Kept for longer: the ledger and the audit log. They name you only by a number.</li>
        <li>The newsletter continues until you unsubscribe with the link in it.</li>
      </ul>
      <p className="small soft">
        See section 6 of the <a href="/privacy-policy">Privacy Policy</a>. To keep a copy of your data,
        download it first.
      </p>
    </ConfirmedForm>
  )
}

function Until({ days }: { days: number }) {
  return <DateTime at={new Date(getServerNow() + days * DAY_MS).toISOString()} show="date" />
}
