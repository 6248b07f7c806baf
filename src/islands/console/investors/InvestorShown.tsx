import { useState } from 'react'
import { getInvestor, type OperatorInvestor } from '../../../contract/console/investors.ts'
import { CopyButton } from '../../../design/CopyButton.tsx'
import { LoadFailure } from '../../../design/LoadFailure.tsx'
import { Tabs } from '../../../design/Tabs.tsx'
import { call } from '../../lib/api.ts'
import { useResource } from '../../lib/resource.ts'
import { setSearchParams, urlWith } from '../../lib/url.ts'
import { CaseWaiting } from '../cases/CaseWaiting.tsx'
import { useAddress } from '../cases/useAddress.ts'
import { AccountStatus } from './AccountStatus.tsx'
import { Activity } from './Activity.tsx'
import { Documents } from './Documents.tsx'
import styles from './InvestorShown.module.css'
import { Ledger } from './Ledger.tsx'
import { Notes } from './Notes.tsx'
import { Requests } from './Requests.tsx'
import { Sessions } from './Sessions.tsx'
import { Summary } from './Summary.tsx'
import { ToldPart } from './ToldPart.tsx'

export interface PartProps {
  investor: OperatorInvestor
  /** With the investor as they now stand. */
  onChanged: (investor: OperatorInvestor) => void
}

/** The page of one investor: who it is, and the parts of their file. */
export function InvestorShown({ id }: { id: string }) {
  const loaded = useResource(`investor ${id}`, () => call(getInvestor, { params: { id } }))
  const [changed, setChanged] = useState<OperatorInvestor | null>(null)
  const [tab] = useAddress('tab', 'summary')
  const investor = changed ?? (loaded.state === 'ready' ? loaded.data : null)
  return (
    <article className="stack">
      <p className="small">
        <a href={urlWith(location.href, { open: null, tab: null, entries: null })}>All investors</a>
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
            onSelect={(next) => setSearchParams({ tab: next === 'summary' ? null : next, entries: null })}
            tabs={[
              {
                id: 'summary',
                label: 'Summary',
                panel: <Summary investor={investor} onChanged={setChanged} />,
              },
              { id: 'ledger', label: 'Ledger', panel: <Ledger investor={investor} onChanged={setChanged} /> },
              {
                id: 'requests',
                label: 'Requests',
                panel: <Requests investor={investor} onChanged={setChanged} />,
              },
              {
                id: 'documents',
                label: 'Documents',
                panel: <Documents investor={investor} onChanged={setChanged} />,
              },
              {
                id: 'sessions',
                label: 'Sessions',
                panel: <Sessions investor={investor} onChanged={setChanged} />,
              },
              {
                id: 'activity',
                label: 'Activity',
                panel: <Activity investor={investor} onChanged={setChanged} />,
              },
              { id: 'notes', label: 'Notes', panel: <Notes investor={investor} onChanged={setChanged} /> },
              {
                id: 'told',
                label: 'Notifications',
                panel: <ToldPart investor={investor} onChanged={setChanged} />,
              },
            ]}
          />
        </>
      )}
    </article>
  )
}
