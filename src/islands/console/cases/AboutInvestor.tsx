import { useEffect, useRef, useState } from 'react'
import {
  getInvestorSummary,
  type InvestorSummary,
  SUMMARY_COUNT_LIMIT,
} from '../../../contract/console/investors.ts'
import { Button } from '../../../design/Button.tsx'
import { DateTime } from '../../../design/DateTime.tsx'
import { Facts } from '../../../design/Facts.tsx'
import { Money } from '../../../design/Money.tsx'
import { LoadFailure, Notice } from '../../../design/Notice.tsx'
import { Skeleton } from '../../../design/Skeleton.tsx'
import { call } from '../../lib/api.ts'
import { toIsoDay } from '../../lib/days.ts'
import { getData, useResource } from '../../lib/resource.ts'
import { getServerNow } from '../../lib/serverTime.ts'
import { NoteForm, NoteList } from '../investors/Notes.tsx'
import { describeIdentity } from '../investors/words.ts'
import { buildCaseHref, QUEUES } from '../search/words.ts'
import { formatAge } from './age.ts'
import { Background } from './Case.tsx'
import styles from './cases.module.css'
import { NoWrap } from './columns.tsx'
import { RiskLabel } from './RiskPanel.tsx'
import { useOperator } from './useOperator.ts'
import { useSettings } from './useSettings.ts'

interface AboutInvestorProps {
  id: string
  /** The open case, which is left out of the links to others. */
  caseId?: string
  /** A change loads the summary again, such as the status of the case after a decision. */
  version?: string | undefined
}

/** Account, balances and earlier requests of the investor in a case. */
export function AboutInvestor({ id, caseId, version = '' }: AboutInvestorProps) {
  const summary = useResource(`investor summary ${id}`, () => call(getInvestorSummary, { params: { id } }))
  const { reload } = summary
  const shown = useRef(version)
  useEffect(() => {
    // A reload keeps the text of a new note.
    if (shown.current !== version) reload()
    shown.current = version
  }, [version, reload])
  const investor = getData(summary)
  return (
    <Background
      title="About the investor"
      gist={summary.state === 'failed' ? null : investor && <Gist investor={investor} caseId={caseId} />}
      isBusy={summary.state === 'loading'}
      notice={
        <>
          {summary.state === 'failed' && <LoadFailure msg={summary.msg} onRetry={summary.reload} />}
          {investor?.reserved && <Reserved reserved={investor.reserved} />}
        </>
      }
    >
      {summary.state === 'loading' && <Skeleton width="full" height="block" />}
      {investor && <Summary investor={investor} caseId={caseId} onNoted={summary.reload} />}
    </Background>
  )
}

/** The first questions about an investor: identity, money, requests, and other open cases. */
function Gist({ investor, caseId }: Omit<SummaryProps, 'onNoted'>) {
  const { kyc, available, owed, deposits, withdrawals, notes, open } = investor
  const others = open.filter(({ _id }) => _id !== caseId).length
  return (
    <>
      <span>{kyc === 'none' ? 'No identity document' : `Identity ${kyc}`}</span>
      <span>
        {' '}
        · <Money value={available} /> available
      </span>
      {owed > 0 && (
        <span>
          {' '}
          · owes <Money value={owed} />
        </span>
      )}
      <span>
        {' '}
        · {formatCount(deposits.done)} credited, {formatCount(withdrawals.done)} paid
      </span>
      {others > 0 && <span> · {others} also open</span>}
      {notes > 0 && <span>{` · ${notes === 1 ? '1 note' : `${formatCount(notes)} notes`}`}</span>}
    </>
  )
}

interface SummaryProps {
  investor: InvestorSummary
  caseId: string | undefined
  onNoted: () => void
}

function Summary({ investor, caseId, onNoted }: SummaryProps) {
  const others = investor.open.filter(({ _id }) => _id !== caseId)
  const { closedAt, lastSignInAt, kycDecidedAt } = investor
  return (
    <>
      <div className={styles.columns}>
        <Facts
          facts={[
            {
              label: 'Investor',
              value: (
                <a href={`/operator/investors?open=${encodeURIComponent(investor._id)}`}>
                  <bdi>{investor.name}</bdi>
                </a>
              ),
            },
            { label: 'Account since', value: <DateTime at={investor.createdAt} show="date" /> },
            closedAt !== null && { label: 'Closed', value: <DateTime at={closedAt} show="date" /> },
            {
              label: 'Identity',
              value: (
                <span>
                  {describeIdentity(investor.kyc)}
                  {kycDecidedAt !== null && (
                    <span>
                      , <DateTime at={kycDecidedAt} show="date" />
                    </span>
                  )}
                </span>
              ),
            },
            { label: 'Identity documents', value: <IdentityAttempts attempts={investor.identityAttempts} /> },
            investor.documentExpiresOn !== null && {
              label: 'Document valid until',
              value: <DocumentExpiry day={investor.documentExpiresOn} />,
            },
            { label: 'Country', value: investor.country || 'Not given' },
            investor.bornOn !== null && {
              label: 'Date of birth',
              value: <DateTime at={investor.bornOn} show="date" timeZone="UTC" />,
            },
            { label: 'Second factor', value: FACTORS[investor.secondFactor] },
            {
              label: 'Last sign-in',
              value: lastSignInAt === null ? 'None in the last month' : <DateTime at={lastSignInAt} />,
            },
          ]}
        />
        <Facts
          facts={[
            { label: 'Available', value: <Money value={investor.available} /> },
            { label: 'Total balance', value: <Money value={investor.totalBalance} /> },
            investor.bonus > 0 && { label: 'Bonus granted', value: <Money value={investor.bonus} /> },
            investor.owed > 0 && { label: 'Owed', value: <Money value={investor.owed} /> },
            { label: 'Deposits', value: <EarlierRequests counts={investor.deposits} done="credited" /> },
            { label: 'Withdrawals', value: <EarlierRequests counts={investor.withdrawals} done="paid" /> },
            { label: 'Also open', value: <OpenCases cases={others} /> },
          ]}
        />
      </div>
      <LatestNotes investor={investor} onNoted={onNoted} />
    </>
  )
}

/** The newest notes by operators, and a form for another one. */
function LatestNotes({ investor: { _id, notes, latestNotes }, onNoted }: Omit<SummaryProps, 'caseId'>) {
  const { can } = useOperator()
  const [isWriting, setWriting] = useState(false)
  const page = `/operator/investors?${new URLSearchParams({ open: _id, tab: 'notes' })}`
  return (
    <section className={styles.part}>
      <div className="row">
        <h4 className={styles.investorTitle}>
          {notes === 0 ? 'No notes yet' : `Notes (${formatCount(notes)})`}
        </h4>
        {notes > latestNotes.length && <a href={page}>All notes</a>}
        {can('operator:investors.note') && !isWriting && (
          <Button size="small" onClick={() => setWriting(true)}>
            Add a note
          </Button>
        )}
      </div>
      {isWriting && (
        <NoteForm
          id={_id}
          onNoted={() => {
            setWriting(false)
            onNoted()
          }}
        />
      )}
      {latestNotes.length > 0 && <NoteList notes={latestNotes} />}
    </section>
  )
}

/** The last day of an identity document, red once it has passed. */
export function DocumentExpiry({ day }: { day: string }) {
  const isExpired = day < toIsoDay(getServerNow())
  return (
    <span className={isExpired ? styles.overdue : undefined}>
      <DateTime at={day} show="date" timeZone="UTC" />
      {isExpired && <span>, expired</span>}
    </span>
  )
}

/** Links to open cases, with the risk of each. */
export function OpenCases({ cases }: { cases: InvestorSummary['open'] }) {
  return cases.length === 0 ? (
    <span>Nothing</span>
  ) : (
    cases.map((found) => <OpenCase key={found._id} {...found} />)
  )
}

/** Says that decisions on the account are blocked. Only some operators may know why. */
function Reserved({ reserved }: { reserved: NonNullable<InvestorSummary['reserved']> }) {
  const settings = getData(useSettings())
  if (reserved === 'silent_freeze')
    return (
      <Notice tone="caution" title="A silent freeze stands on this account">
        Nothing can be approved, rejected, credited or paid until it ends. The investor must not learn of it.
      </Notice>
    )
  return (
    <Notice tone="caution">
      {settings
        ? `Decisions on this account need the role compliance or ${settings.confidentialRole}.`
        : 'Decisions on this account are reserved.'}
    </Notice>
  )
}

export const FACTORS: Record<InvestorSummary['secondFactor'], string> = {
  none: 'None',
  app: 'Authenticator app',
  passkey: 'Passkey',
  both: 'Authenticator app and passkey',
}

/** `done` is the word for accepted requests: "credited". */
function EarlierRequests({ counts, done }: { counts: InvestorSummary['deposits']; done: string }) {
  return (
    <span>
      {formatCount(counts.done)} {done}, <Money value={counts.amount} />
      {counts.rejected > 0 && <span>; {formatCount(counts.rejected)} rejected</span>}
    </span>
  )
}

export function IdentityAttempts({
  attempts: { count, last },
}: {
  attempts: InvestorSummary['identityAttempts']
}) {
  return (
    <>
      <span>{formatCount(count)} sent</span>
      {last !== null && (
        <span>
          , last {last.status} <DateTime at={last.at} show="date" />
        </span>
      )}
      {last?.status === 'rejected' && last.reason !== null && (
        <div>
          The investor was told: <bdi>{last.reason}</bdi>
        </div>
      )}
    </>
  )
}

function OpenCase(found: InvestorSummary['open'][number]) {
  return (
    <div>
      <a href={buildCaseHref(found)}>
        <span>{QUEUES[found.kind].label}</span>
        {found.ref !== '' && (
          <span translate="no" className={styles.noWrap}>
            {' '}
            {found.ref}
          </span>
        )}
      </a>
      <span className="soft">
        {found.amount !== null && (
          <span>
            {' '}
            · <Money value={found.amount} />
          </span>
        )}
        <span>
          {' '}
          · <NoWrap>{formatAge(found.createdAt, getServerNow())}</NoWrap>
        </span>
      </span>
      {found.risk && (
        <NoWrap>
          {' '}
          <RiskLabel risk={found.risk} />
        </NoWrap>
      )}
    </div>
  )
}

function formatCount(count: number): string {
  return count >= SUMMARY_COUNT_LIMIT ? `${SUMMARY_COUNT_LIMIT} or more` : String(count)
}
