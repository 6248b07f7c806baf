import { useState } from 'react'
import {
  endInvestorSessions,
  freezeInvestor,
  type OperatorInvestor,
  unfreezeInvestor,
} from '../../../contract/console/investors.ts'
import { Panel } from '../../../design/Panel.tsx'
import { ConfirmOnly } from '../cases/ConfirmOnly.tsx'
import { type Choice, Decide } from '../cases/Decide.tsx'
import { ReasonForm } from '../cases/ReasonForm.tsx'
import { Said } from '../cases/Said.tsx'
import { useOperator } from '../cases/useOperator.ts'
import { useSettings } from '../cases/useSettings.ts'
import { InvestorFacts } from './InvestorFacts.tsx'
import type { PartProps } from './InvestorShown.tsx'

interface Outcome {
  tone: 'success' | 'caution'
  said: string
}

/** Who it is, the figures of their books, and what can be done about the account. */
export function Summary({ investor, onChanged }: PartProps) {
  const settings = useSettings()
  const { me } = useOperator()
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const isClosed = investor.closedAt !== null
  const who = `${investor.name} (${investor.email})`
  const told = isClosed ? 'Nobody was told: the account is closed.' : `${investor.name} has been told.`
  const props = {
    row: investor,
    onOvertaken: (msg: string) => setOutcome({ tone: 'caution', said: msg }),
  }
  const take = (said: string) => (now: OperatorInvestor) => {
    setOutcome({ tone: 'success', said })
    onChanged(now)
  }
  const freeze: Choice = {
    label: 'Freeze the account',
    scope: 'operator:investors.write',
    panel: (onCancel) => (
      <ReasonForm
        {...props}
        settings={settings.state === 'ready' ? settings.data : null}
        onCancel={onCancel}
        onDecided={take(`The account is frozen. ${told}`)}
        endpoint={freezeInvestor}
        kind="freeze"
        hint={
          isClosed
            ? 'Operators read it.'
            : 'Operators read it. The investor is told that the account is frozen, not why.'
        }
        consequence={
          isClosed
            ? `The closed account of ${who} is kept whole: nothing of it is shredded or erased until the freeze is lifted.`
            : `The account of ${who} is frozen: it can be read, pending requests can be cancelled, and no money moves.`
        }
        confirmLabel="Freeze the account"
      />
    ),
  }
  const isLocked = investor.lockedAt !== null
  const { firstUnlock } = investor
  const unfreeze: Choice = {
    label: isLocked ? 'Lift the lock' : 'Lift the freeze',
    scope: 'operator:investors.write',
    closed:
      firstUnlock !== undefined && firstUnlock.byId === me?._id
        ? 'You have agreed to lift the lock. Another operator has to lift it.'
        : undefined,
    panel: (onCancel) => (
      <ConfirmOnly
        {...props}
        onCancel={onCancel}
        onDecided={(now) =>
          take(
            now.awaiting === 'second_operator'
              ? 'You agreed to lift the lock. Another operator has to agree before it is lifted.'
              : now.frozen
                ? 'The lock is lifted. The freeze by an operator stays.'
                : `The ${isLocked ? 'lock' : 'freeze'} is lifted. ${told}`,
          )(now)
        }
        endpoint={unfreezeInvestor}
        confirmLabel={isLocked ? 'Lift the lock' : 'Lift the freeze'}
        what={`The account of ${who}`}
      >
        {isLocked && (
          <p>
            The investor locked the account with the link in a mail: somebody may have got into it. Make sure
            that it is they who ask.{' '}
            {firstUnlock
              ? `${firstUnlock.by} agreed first; with you it is lifted.`
              : 'It takes two operators.'}
          </p>
        )}
        <p>
          {isClosed
            ? 'What is kept of the closed account goes once its time is over.'
            : `${who} can move money again.`}
        </p>
      </ConfirmOnly>
    ),
  }
  const end: Choice = {
    label: 'End all sessions',
    scope: 'operator:investors.write',
    panel: (onCancel) => (
      <ConfirmOnly
        {...props}
        onCancel={onCancel}
        onDecided={take(`Every session was ended. ${told}`)}
        endpoint={endInvestorSessions}
        confirmLabel="End all sessions"
      >
        <p>{`${who} has to sign in again on every device, and is told by mail.`}</p>
      </ConfirmOnly>
    ),
  }
  return (
    <div className="stack">
      <InvestorFacts investor={investor} />
      <Panel title="The account">
        {outcome && <Said key={outcome.said} tone={outcome.tone} text={outcome.said} />}
        <Decide
          key={outcome?.said}
          choices={[investor.frozen ? unfreeze : freeze, ...(isClosed ? [] : [end])]}
        />
      </Panel>
    </div>
  )
}
