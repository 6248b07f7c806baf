import { useState } from 'react'
import type { BookAccount } from '../../../contract/console/investorFile.ts'
import type { InvestorSummary, OperatorInvestor } from '../../../contract/console/investors.ts'
import {
  endInvestorSessions,
  endSilentFreeze,
  unfreezeInvestor,
} from '../../../contract/console/investors.ts'
import { isolate } from '../../../contract/isolate.ts'
import { Copied } from '../../../design/CopyButton.tsx'
import { DateTime } from '../../../design/DateTime.tsx'
import { type Fact, Facts } from '../../../design/Facts.tsx'
import { Money } from '../../../design/Money.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { getData } from '../../lib/resource.ts'
import { withSearchParams } from '../../lib/url.ts'
import { DocumentExpiry, FACTORS, IdentityAttempts, OpenCases } from '../cases/AboutInvestor.tsx'
import { OutcomeNotice } from '../cases/Case.tsx'
import { ConfirmOnly } from '../cases/ConfirmedForm.tsx'
import { type Choice, Decide } from '../cases/Decide.tsx'
import { ReasonForm } from '../cases/ReasonForm.tsx'
import { isConfidant, useOperator } from '../cases/useOperator.ts'
import { useSettings } from '../cases/useSettings.ts'
import { FreezeForm, SilentFreezeForm } from './FreezeForm.tsx'
import type { PartProps } from './InvestorPage.tsx'
import styles from './Investors.module.css'
import { NoteList } from './Notes.tsx'
import { describeIdentity } from './words.ts'

/** The decisions about the account, on every tab of the page. */
export function AccountDecisions({ investor, onChanged }: PartProps) {
  const settings = getData(useSettings()) ?? null
  const { me } = useOperator()
  const [outcome, setOutcome] = useState<{ tone: 'success' | 'caution'; text: string } | null>(null)
  const isClosed = investor.closedAt !== null
  const who = `${isolate(investor.name)} (${investor.email})`
  const notified = isClosed
    ? 'No mail was sent: the account is closed.'
    : `${isolate(investor.name)} has been told.`
  const props = {
    row: investor,
    onOvertaken: (msg: string) => setOutcome({ tone: 'caution', text: msg }),
  }
  const handleDone = (text: string) => (now: OperatorInvestor) => {
    setOutcome({ tone: 'success', text })
    onChanged(now)
  }
  const freeze: Choice = {
    key: 'f',
    label: 'Freeze the account',
    scope: 'operator:investors.freeze',
    panel: (onCancel) => (
      <FreezeForm
        investor={investor}
        isClosed={isClosed}
        settings={settings}
        onCancel={onCancel}
        onOvertaken={props.onOvertaken}
        onDecided={handleDone(`The account is frozen. ${notified}`)}
      />
    ),
  }
  const isLocked = investor.lockedAt !== null
  const { firstUnlock } = investor
  const unfreeze: Choice = {
    key: 'l',
    label: isLocked ? 'Lift the lock' : 'Lift the freeze',
    scope: 'operator:investors.write',
    closed:
      firstUnlock !== undefined && firstUnlock.byId === me?._id
        ? 'You agreed to lift the lock. Another operator has to agree too.'
        : undefined,
    panel: (onCancel) => (
      <ReasonForm
        {...props}
        onCancel={onCancel}
        onDecided={(now) =>
          handleDone(
            now.awaiting === 'second_operator'
              ? 'You agreed to lift the lock. It is lifted once another operator agrees.'
              : now.frozen
                ? 'The lock is lifted. The freeze by an operator stays.'
                : `The ${isLocked ? 'lock' : 'freeze'} is lifted. ${notified}`,
          )(now)
        }
        endpoint={unfreezeInvestor}
        hint="Only operators read it, in the notes and in the audit log."
        variant="primary"
        confirmLabel={isLocked ? 'Lift the lock' : 'Lift the freeze'}
        what={`The account of ${who}`}
        atOnce
        note={
          isLocked && (
            <p>
              The investor locked the account with the link in a mail, because somebody else may have access.
              Make sure that the request comes from the investor.{' '}
              <span>
                {firstUnlock
                  ? `${isolate(firstUnlock.by)} agreed first${firstUnlock.reason === null ? '' : ` (“${isolate(firstUnlock.reason)}”)`}. Your approval lifts it.`
                  : 'It takes two operators.'}
              </span>
            </p>
          )
        }
        consequence={
          isClosed
            ? 'The data of the closed account is erased when its retention period ends.'
            : `${who} can move money again.`
        }
      />
    ),
  }
  const end: Choice = {
    key: 'e',
    label: 'End all sessions',
    scope: 'operator:investors.write',
    panel: (onCancel) => (
      <ConfirmOnly
        {...props}
        onCancel={onCancel}
        onDecided={handleDone(`All sessions have ended. ${notified}`)}
        endpoint={endInvestorSessions}
        confirmLabel="End all sessions"
      >
        <p>{`${who} has to sign in again on every device and gets a mail.`}</p>
      </ConfirmOnly>
    ),
  }
  const isTrusted = isConfidant(me, settings)
  const silent = listSilentFreezeChoices(investor, props, handleDone)
  return (
    <>
      {/* Siblings: each needs a key of its own, or the former notice stays. */}
      {outcome && <OutcomeNotice key={`notice ${outcome.text}`} {...outcome} />}
      <Decide
        key={outcome?.text}
        choices={[
          investor.frozen ? unfreeze : freeze,
          ...(isClosed ? [] : [end]),
          ...(isTrusted ? silent : []),
        ]}
      />
    </>
  )
}

/** Beginning, renewing and ending a silent freeze. */
function listSilentFreezeChoices(
  investor: OperatorInvestor,
  props: { row: OperatorInvestor; onOvertaken: (msg: string) => void },
  done: (text: string) => (now: OperatorInvestor) => void,
): Choice[] {
  const stands = investor.isReserved === true
  const begin: Choice = {
    key: 's',
    label: stands ? 'Renew the silent freeze' : 'Freeze silently',
    variant: 'danger',
    scope: 'operator:investors.confidential',
    panel: (onCancel) => (
      <SilentFreezeForm
        investor={investor}
        stands={stands}
        onCancel={onCancel}
        onOvertaken={props.onOvertaken}
        onDecided={done(
          stands ? 'The silent freeze is renewed.' : 'The silent freeze stands. Nobody was told.',
        )}
      />
    ),
  }
  const end: Choice = {
    key: 'd',
    label: 'End the silent freeze',
    scope: 'operator:investors.confidential',
    panel: (onCancel) => (
      <ConfirmOnly
        {...props}
        onCancel={onCancel}
        onDecided={done('The silent freeze has ended.')}
        endpoint={endSilentFreeze}
        confirmLabel="End the silent freeze"
      >
        <p>{`Requests of ${isolate(investor.name)} can be decided again.`}</p>
      </ConfirmOnly>
    ),
  }
  return stands ? [begin, end] : [begin]
}

/** The facts, and the figures that the investor sees, too. Each figure links to its entries or requests. */
export function Summary({ investor, summary }: PartProps) {
  const { frozenReason, closedAt, kyc, balances, lockedAt, firstUnlock } = investor
  return (
    <div className={styles.panels}>
      {summary && <OpenNow summary={summary} />}
      <Panel title="Facts">
        <Facts
          facts={[
            closedAt !== null && { label: 'Closed', value: <DateTime at={closedAt} show="date" /> },
            investor.savedDestinationsSince !== undefined && {
              label: 'Withdrawals',
              value: (
                <span>
                  Only saved destinations since <DateTime at={investor.savedDestinationsSince} show="date" />.
                  Only the investor can end this.
                </span>
              ),
            },
            lockedAt !== null && {
              label: 'Lock',
              value: (
                <>
                  <div>
                    Since <DateTime at={lockedAt} />. Two operators lift it.
                  </div>
                  {firstUnlock && (
                    <div>
                      <span>First approval by {isolate(firstUnlock.by)}, </span>
                      <DateTime at={firstUnlock.at} />
                      <span>{firstUnlock.reason !== null && `: ${isolate(firstUnlock.reason)}`}</span>
                    </div>
                  )}
                </>
              ),
            },
            frozenReason !== null && { label: 'Frozen because', value: frozenReason },
            investor.silentFreeze && {
              label: 'Silent freeze',
              value: (
                <span>
                  <bdi>{investor.silentFreeze.reason}</bdi>. By <bdi>{investor.silentFreeze.by}</bdi>,{' '}
                  <DateTime at={investor.silentFreeze.at} />
                </span>
              ),
            },
            investor.isReserved === true &&
              !investor.silentFreeze && { label: 'Decisions', value: 'Reserved for another role' },
            investor.fullname.toLowerCase() !== investor.name.toLowerCase() && {
              label: 'Full name',
              value: investor.fullname,
            },
            { label: 'E-mail verified', value: investor.emailVerified ? 'Yes' : 'No' },
            { label: 'Phone', value: investor.phone },
            { label: 'Country', value: investor.country },
            { label: 'Identity', value: describeIdentity(kyc) },
            ...(summary ? listIdentityFacts(summary) : []),
            { label: 'Since', value: <DateTime at={investor.createdAt} show="date" /> },
            { label: 'Id', value: <Copied text={investor._id} what="investor’s id" /> },
          ]}
        />
      </Panel>
      {balances && (
        <Panel title="Figures">
          <Facts facts={listBalanceFigures(balances)} />
        </Panel>
      )}
    </div>
  )
}

/** The open cases of the investor and the newest notes. */
function OpenNow({ summary: { open, notes, latestNotes, _id } }: { summary: InvestorSummary }) {
  return (
    <Panel title="Open now">
      <OpenCases cases={open} />
      {latestNotes.length > 0 && <NoteList notes={latestNotes} />}
      {notes > latestNotes.length && (
        <p>
          <a href={withSearchParams(location.href, { open: _id, tab: 'notes' })}>All notes</a>
        </p>
      )}
    </Panel>
  )
}

function listIdentityFacts(summary: InvestorSummary): (Fact | false)[] {
  const { identityAttempts, documentExpiresOn, bornOn, secondFactor, lastSignInAt } = summary
  return [
    { label: 'Identity documents', value: <IdentityAttempts attempts={identityAttempts} /> },
    documentExpiresOn !== null && {
      label: 'Document valid until',
      value: <DocumentExpiry day={documentExpiresOn} />,
    },
    bornOn !== null && {
      label: 'Date of birth',
      value: <DateTime at={bornOn} show="date" timeZone="UTC" />,
    },
    { label: 'Second factor', value: FACTORS[secondFactor] },
    {
      label: 'Last sign-in',
      value: lastSignInAt === null ? 'None in the last month' : <DateTime at={lastSignInAt} />,
    },
  ]
}

function listBalanceFigures(balances: NonNullable<OperatorInvestor['balances']>): Fact[] {
  return FIGURES.filter(([key]) => balances[key] !== 0 || ALWAYS.has(key)).map(([key, label, words]) => ({
    label,
    value: (
      <a
        className={styles.figure}
        href={withSearchParams(location.href, { entries: null, kind: null, status: null, ...words })}
      >
        <Money value={balances[key]} />
        <span className="visually-hidden">: what {label.toLowerCase()} is made of</span>
      </a>
    ),
  }))
}

const buildLedgerParams = (account: BookAccount) => ({ tab: 'ledger', entries: account })

/** The figures that are shown at zero, too. */
const ALWAYS: ReadonlySet<string> = new Set(['totalBalance', 'available', 'deposits', 'withdrawals'])

const FIGURES = [
  ['totalBalance', 'Total balance', { tab: 'ledger' }],
  ['available', 'Available', buildLedgerParams('available')],
  ['deposits', 'Deposits', buildLedgerParams('paid_in')],
  ['pendingDeposits', 'Pending deposits', { tab: 'requests', kind: 'deposit', status: 'pending' }],
  ['withdrawals', 'Withdrawals', buildLedgerParams('paid_out')],
  ['pendingWithdrawals', 'Pending withdrawals', buildLedgerParams('held')],
  ['bonus', 'Bonus', buildLedgerParams('granted')],
  ['profits', 'Profits', { tab: 'ledger' }],
  ['owed', 'Owed', buildLedgerParams('owed')],
] as const
