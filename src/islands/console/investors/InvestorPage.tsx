import { lazy, Suspense, useState } from 'react'
import {
  getInvestor,
  getInvestorSummary,
  type InvestorSummary,
  type OperatorInvestor,
} from '../../../contract/console/investors.ts'
import { LoadFailure } from '../../../design/Notice.tsx'
import { PageHeading } from '../../../design/PageHeading.tsx'
import { Tabs } from '../../../design/Tabs.tsx'
import { call } from '../../lib/api.ts'
import { Loaded } from '../../lib/Loaded.tsx'
import { getData, useResource } from '../../lib/resource.ts'
import { setSearchParams, withSearchParams } from '../../lib/url.ts'
import { OpenCases } from '../cases/AboutInvestor.tsx'
import { CaseLoading } from '../cases/Case.tsx'
import { Unbroken } from '../cases/columns.tsx'
import { RiskPanel } from '../cases/RiskPanel.tsx'
import { useAddress } from '../cases/useAddress.ts'
import { useOperator } from '../cases/useOperator.ts'
import { useTabTitle } from '../cases/useTabTitle.ts'
import { AccountStatus } from './AccountStatus.tsx'
import { Activity, Sessions } from './Activity.tsx'
import { Documents } from './Documents.tsx'
import styles from './Investors.module.css'
import { Ledger, Requests } from './Ledger.tsx'
import { Notes } from './Notes.tsx'
import { AccountDecisions, Summary } from './Summary.tsx'

export interface PartProps {
  investor: OperatorInvestor
  /** Called with the investor from the server's answer. */
  onChanged: (investor: OperatorInvestor) => void
  /** Null for support, undefined while it loads. */
  summary: InvestorSummary | null | undefined
}

/** Only needed once its tab is open. */
const Notifications = lazy(async () => ({ default: (await import('./Notifications.tsx')).Notifications }))

/** The page of one investor, with tabs for the parts of the file. */
export function InvestorPage({ id }: { id: string }) {
  const loaded = useResource(`investor ${id}`, () => call(getInvestor, { params: { id } }))
  const [changed, setChanged] = useState<{ to: OperatorInvestor; times: number } | null>(null)
  return (
    <article className="stack">
      <p className="small">
        <a href={withSearchParams(location.href, { open: null, tab: null, entries: null })}>All investors</a>
      </p>
      <Loaded resource={loaded} waiting={<CaseLoading what="investor" />}>
        {(investor) => (
          <InvestorFile
            investor={changed?.to ?? investor}
            changes={changed?.times ?? 0}
            onChanged={(to) => setChanged({ to, times: (changed?.times ?? 0) + 1 })}
          />
        )}
      </Loaded>
    </article>
  )
}

/** The open case with the highest risk, with the way to it. */
function HighestCase({ open }: Pick<InvestorSummary, 'open'>) {
  const [highest] = open.toSorted((a, b) => (b.risk?.score ?? -1) - (a.risk?.score ?? -1))
  if (highest?.risk === undefined) return null
  return (
    <div>
      <span>{open.length === 1 ? 'Open case' : `Highest risk of ${open.length} open cases`}</span>
      <OpenCases cases={[highest]} />
    </div>
  )
}

function InvestorFile({ changes, ...given }: Omit<PartProps, 'summary'> & { changes: number }) {
  const { investor } = given
  const [tab] = useAddress('tab', 'summary')
  const { can } = useOperator()
  useTabTitle(investor.name)
  const readsMoney = can('operator:investors.money')
  const loaded = useResource(readsMoney ? `investor summary ${investor._id} ${changes}` : null, () =>
    call(getInvestorSummary, { params: { id: investor._id } }),
  )
  // A change loads it again. Meanwhile the former one stays.
  const [kept, setKept] = useState<InvestorSummary>()
  const latest = getData(loaded) ?? kept
  if (latest !== kept) setKept(latest)
  const props = { ...given, summary: readsMoney ? latest : null }
  return (
    <>
      <PageHeading
        title={
          <bdi>
            <Unbroken text={investor.name} />
          </bdi>
        }
        lead={
          <span className={styles.about}>
            <AccountStatus {...investor} /> <span translate="no">{investor.email}</span>
          </span>
        }
      />
      {props.summary === undefined && loaded.state === 'loading' && <CaseLoading what="risk" />}
      {loaded.state === 'failed' && <LoadFailure msg={loaded.msg} onRetry={loaded.reload} />}
      {props.summary && <HighestCase open={props.summary.open} />}
      {props.summary && <RiskPanel risk={props.summary.risk} of="account" />}
      <AccountDecisions {...props} />
      <Tabs
        label="The investor’s file"
        selected={tab}
        onSelect={(next) => setSearchParams({ tab: next === 'summary' ? null : next, entries: null })}
        tabs={[
          { id: 'summary', label: 'Summary', panel: <Summary {...props} /> },
          ...(readsMoney
            ? [
                { id: 'ledger', label: 'Ledger', panel: <Ledger {...props} /> },
                { id: 'requests', label: 'Requests', panel: <Requests {...props} /> },
              ]
            : []),
          ...(can('operator:kyc.read')
            ? [{ id: 'documents', label: 'Documents', panel: <Documents {...props} /> }]
            : []),
          { id: 'sessions', label: 'Sessions', panel: <Sessions key={changes} {...props} /> },
          { id: 'activity', label: 'Activity', panel: <Activity {...props} /> },
          { id: 'notes', label: 'Notes', panel: <Notes {...props} /> },
          {
            id: 'notifications',
            label: 'Notifications',
            panel: (
              <Suspense fallback={<CaseLoading what="notifications" />}>
                <Notifications {...props} />
              </Suspense>
            ),
          },
        ]}
      />
    </>
  )
}
