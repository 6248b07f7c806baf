import { useState } from 'react'
import type { Filed } from '../../../contract/common.ts'
import { getLimits, type Limits } from '../../../contract/money/limits.ts'
import { listWallets } from '../../../contract/money/wallets.ts'
import { EmptyState } from '../../../design/EmptyState.tsx'
import { withErrorBoundary } from '../../../design/ErrorBoundary.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { Skeleton } from '../../../design/Skeleton.tsx'
import { WithAside } from '../../../design/WithAside.tsx'
import { site } from '../../../site.ts'
import { call } from '../../lib/api.ts'
import { DecisionTimes } from '../../lib/DecisionTimes.tsx'
import { Loaded, Waiting } from '../../lib/Loaded.tsx'
import { useResource } from '../../lib/resource.ts'
import { obstacleOf } from '../requests/limits.ts'
import { RequestCompleted } from '../transactions/RequestCompleted.tsx'
import { DepositForm } from './DepositForm.tsx'

export const Deposit = withErrorBoundary(Screen, '/dashboard/overview')

function Screen() {
  const resource = useResource('deposit', loadDeposit)
  const [filed, setFiled] = useState<Filed | null>(null)
  return (
    <Loaded resource={resource} waiting={<WaitingForm />}>
      {({ wallets, ...limits }) => (
        <WithAside aside={<WhatHappens limits={limits.limits} />}>
          <Panel>
            {wallets.length === 0 ? (
              <EmptyState title="There is no wallet to pay to right now">
                Please try again later. Do not pay to an earlier address: it may be retired.
              </EmptyState>
            ) : (
              <DepositForm
                wallets={wallets}
                {...limits}
                onOutdated={resource.reload}
                onFiled={(filed) => {
                  setFiled(filed)
                  // The limits count one more open deposit.
                  resource.reload()
                }}
              />
            )}
          </Panel>
          <RequestCompleted title="Deposit Request Completed" filed={filed} onClose={() => setFiled(null)} />
        </WithAside>
      )}
    </Loaded>
  )
}

/** `limits` is null if it could not be loaded: the server checks anyway. */
async function loadDeposit() {
  const [wallets, limits] = await Promise.all([call(listWallets), call(getLimits).catch(() => null)])
  return { wallets, limits, obstacle: obstacleOf(limits, 'deposits') }
}

function WaitingForm() {
  return (
    <WithAside>
      <Panel>
        <Waiting label="Loading the deposit form">
          <Skeleton width="medium" />
          <Skeleton height="control" />
          <Skeleton height="control" />
          <Skeleton height="control" />
          <Skeleton width="medium" height="control" />
        </Waiting>
      </Panel>
    </WithAside>
  )
}

function WhatHappens({ limits }: { limits: Limits | null }) {
  return (
    <section aria-label="What happens next">
      <ol>
        <li>
          {site.mode === 'simulated'
            ? 'Pay nothing: attach a sample receipt.'
            : 'Pay, then attach the receipt.'}
        </li>
        <li>An operator credits what arrived, without a fee. Cancel until then.</li>
      </ol>
      {limits && <DecisionTimes kinds={[['deposits', 'decided', limits.decisionTimes.deposits]]} />}
    </section>
  )
}
