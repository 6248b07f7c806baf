import { useState } from 'react'
import type { KycRecord } from '../../../contract/identity/kyc.ts'
import { type DecisionTime, getDecisionTimes } from '../../../contract/money/decisionTimes.ts'
import { DateTime } from '../../../design/DateTime.tsx'
import { ErrorBoundary } from '../../../design/ErrorBoundary.tsx'
import { LoadFailure } from '../../../design/LoadFailure.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { Skeleton } from '../../../design/Skeleton.tsx'
import { WithAside } from '../../../design/WithAside.tsx'
import { site } from '../../../site.ts'
import { call } from '../../lib/api.ts'
import { DecisionTimes } from '../../lib/DecisionTimes.tsx'
import { useResource } from '../../lib/resource.ts'
import { Approved } from './Approved.tsx'
import { KycForm } from './KycForm.tsx'
import { KycSent } from './KycSent.tsx'
import { loadStanding } from './load.ts'
import { Pending } from './Pending.tsx'
import type { Standing } from './standing.ts'

/** Identity verification: what is needed, how far it is, and the form while something is asked for. */
export function Kyc() {
  return (
    <ErrorBoundary home="/dashboard/overview">
      <Screen />
    </ErrorBoundary>
  )
}

function Screen() {
  const resource = useResource('kyc', loadScreen)
  const [isSent, setSent] = useState(false)
  switch (resource.state) {
    case 'loading':
      return <Waiting />
    case 'failed':
      return <LoadFailure msg={resource.msg} onRetry={resource.reload} />
    case 'ready': {
      const { standing, time } = resource.data
      return (
        <WithAside
          aside={
            standing.state !== 'approved' && <WhatHappens isSent={standing.state === 'pending'} time={time} />
          }
        >
          <ByStanding standing={standing} onSent={() => setSent(true)} />
          <KycSent open={isSent} />
        </WithAside>
      )
    }
  }
}

function ByStanding({ standing, onSent }: { standing: Standing; onSent: () => void }) {
  switch (standing.state) {
    case 'approved':
      return <Approved record={standing.record} />
    case 'pending':
      return <Pending record={standing.record} />
    case 'rejected':
      return (
        <>
          <Rejected record={standing.record} />
          <KycForm onSent={onSent} />
        </>
      )
    case 'missing':
      return <KycForm onSent={onSent} />
  }
}

function Waiting() {
  return (
    <WithAside>
      <Panel>
        <p role="status" className="visually-hidden">
          Loading your verification
        </p>
        <Skeleton width="long" />
        <Skeleton height="control" />
        <Skeleton height="block" />
        <Skeleton width="medium" height="control" />
      </Panel>
    </WithAside>
  )
}

function WhatHappens({ isSent, time }: { isSent: boolean; time: DecisionTime | undefined }) {
  return (
    <section aria-labelledby="kyc-steps">
      <h2 id="kyc-steps">What happens next</h2>
      <ol>
        {!isSent && (
          <li>
            You send one{' '}
            {site.mode === 'simulated' ? 'sample picture' : 'picture of the page with your photograph'}.
          </li>
        )}
        <li>It is stored encrypted. This page shows you which reviewer looked at it, and when.</li>
        <li>A reviewer approves it, or says what is missing, and you can send it again.</li>
        <li>Once it is approved, deposits and withdrawals are open to you.</li>
      </ol>
      {time !== undefined && <DecisionTimes told={[['documents', 'reviewed', time]]} />}
    </section>
  )
}

/** Why the last document was not taken, above the form that takes another. */
function Rejected({ record }: { record: KycRecord }) {
  return (
    <Notice tone="danger" title="Your document was not accepted">
      <p>
        {record.reason ?? 'The reviewer gave no reason. Please contact support if it is not clear to you.'}
      </p>
      <p className="soft">
        Submitted on <DateTime at={record.createdAt} show="date" />. Please send another picture below.
      </p>
    </Notice>
  )
}

/** Loads how far the check of the investor's identity has come, and how long one takes: undefined where that can't be told. */
async function loadScreen() {
  const [standing, times] = await Promise.all([loadStanding(), call(getDecisionTimes).catch(() => undefined)])
  return { standing, time: times?.identity }
}
