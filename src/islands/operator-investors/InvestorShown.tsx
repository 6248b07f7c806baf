import { type ReactNode, useState } from 'react'
import { getInvestor, type OperatorInvestor } from '../../contract/operator/investors.ts'
import { CopyButton } from '../../design/CopyButton.tsx'
import { LoadFailure } from '../../design/LoadFailure.tsx'
import { Tabs } from '../../design/Tabs.tsx'
import { addressWith, writeAddress } from '../lib/address.ts'
import { call } from '../lib/api.ts'
import { useResource } from '../lib/resource.ts'
import { CaseWaiting } from '../operator/CaseWaiting.tsx'
import { Fetched } from '../operator/Fetched.tsx'
import { useAddress } from '../operator/useAddress.ts'
import { AccountStatus } from './AccountStatus.tsx'
import styles from './InvestorShown.module.css'

export interface PartProps {
  investor: OperatorInvestor
  /** With the investor as they now stand. */
  onChanged: (investor: OperatorInvestor) => void
}

/** The page of one investor: who it is, and the parts of their file, each fetched when it is opened. */
export function InvestorShown({ id }: { id: string }) {
  const loaded = useResource(`investor ${id}`, () => call(getInvestor, { params: { id } }))
  const [changed, setChanged] = useState<OperatorInvestor | null>(null)
  const [tab] = useAddress('tab', 'summary')
  const investor = changed ?? (loaded.state === 'ready' ? loaded.data : null)
  return (
    <article className="stack">
      <p className="small">
        <a href={addressWith(location.href, { open: null, tab: null, entries: null })}>All investors</a>
      </p>
      {investor === null ? (
        loaded.state === 'failed' ? (
          <LoadFailure msg={loaded.msg} onRetry={loaded.reload} />
        ) : (
          <CaseWaiting what="investor" />
        )
      ) : (
        <>
          <header className={styles.head}>
            <h2 className={styles.name}>{investor.name}</h2>
            <AccountStatus {...investor} />
            <p className={styles.about}>
              {investor.email}
              <span className="soft small">
                {' '}
                {investor._id} <CopyButton text={investor._id} what="investor’s id" size="small" />
              </span>
            </p>
          </header>
          <Tabs
            label="The investor’s file"
            selected={tab}
            onSelect={(next) => writeAddress({ tab: next === 'summary' ? null : next, entries: null })}
            tabs={[
              part(
                'summary',
                'Summary',
                () => import('./Summary.tsx').then(({ Summary }) => Summary),
                investor,
                setChanged,
              ),
              part(
                'ledger',
                'Ledger',
                () => import('./Ledger.tsx').then(({ Ledger }) => Ledger),
                investor,
                setChanged,
              ),
              part(
                'requests',
                'Requests',
                () => import('./Requests.tsx').then(({ Requests }) => Requests),
                investor,
                setChanged,
              ),
              part(
                'documents',
                'Documents',
                () => import('./Documents.tsx').then(({ Documents }) => Documents),
                investor,
                setChanged,
              ),
              part(
                'sessions',
                'Sessions',
                () => import('./Sessions.tsx').then(({ Sessions }) => Sessions),
                investor,
                setChanged,
              ),
              part(
                'activity',
                'Activity',
                () => import('./Activity.tsx').then(({ Activity }) => Activity),
                investor,
                setChanged,
              ),
              part(
                'notes',
                'Notes',
                () => import('./Notes.tsx').then(({ Notes }) => Notes),
                investor,
                setChanged,
              ),
              part(
                'told',
                'Notifications',
                () => import('./ToldPart.tsx').then(({ ToldPart }) => ToldPart),
                investor,
                setChanged,
              ),
            ]}
          />
        </>
      )}
    </article>
  )
}

function part(
  id: string,
  label: string,
  load: () => Promise<(props: PartProps) => ReactNode>,
  investor: OperatorInvestor,
  onChanged: (investor: OperatorInvestor) => void,
) {
  const panel = (
    <Fetched what={label.toLowerCase()} load={async () => ({ Part: await load() })}>
      {({ Part }) => <Part investor={investor} onChanged={onChanged} />}
    </Fetched>
  )
  return { id, label, panel }
}
