import { lazy, Suspense, useState } from 'react'
import type { AnnouncedDeposit } from '../../../contract/money/deposits.ts'
import { getLimits, type Limits } from '../../../contract/money/limits.ts'
import { QUOTE_MINUTES } from '../../../contract/money/payments.ts'
import { listWallets, type Wallet } from '../../../contract/money/wallets.ts'
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
import { findObstacle } from '../requests/limits.ts'
import { RequestCompleted } from '../transactions/RequestCompleted.tsx'
import { DepositForm } from './DepositForm.tsx'

// Loaded for investors with own addresses only.
const DepositAnnounced = lazy(async () => ({
  default: (await import('./DepositAnnounced.tsx')).DepositAnnounced,
}))
const PracticeDeposit = lazy(async () => ({
  default: (await import('./PracticeDeposit.tsx')).PracticeDeposit,
}))
const AwaitedPayments = lazy(async () => ({
  default: (await import('./AwaitedPayments.tsx')).AwaitedPayments,
}))
const Payments = lazy(async () => ({ default: (await import('../payments/Payments.tsx')).Payments }))

export const Deposit = withErrorBoundary(Screen, '/dashboard/overview')

function Screen() {
  const resource = useResource('deposit', loadDeposit)
  const [filed, setFiled] = useState<FiledDeposit | null>(null)
  const close = () => setFiled(null)
  return (
    <Loaded resource={resource} waiting={<WaitingForm />}>
      {({ wallets, ...limits }) => {
        const hasOwn = wallets.some(({ own }) => own)
        return (
          <WithAside aside={<WhatHappens wallets={wallets} limits={limits.limits} />}>
            <Suspense>{hasOwn && <AwaitedPayments version={filed?.answer.ref ?? ''} />}</Suspense>
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
                  onFiled={(answer, wallet, isPractice) => {
                    setFiled({ answer, wallet, isPractice })
                    // The limits count one more open deposit.
                    resource.reload()
                  }}
                />
              )}
            </Panel>
            <Suspense>{hasOwn && <Payments />}</Suspense>
            {filed?.isPractice ? (
              <Suspense>
                <PracticeDeposit filed={filed.answer} onClose={close} />
              </Suspense>
            ) : filed?.wallet?.own ? (
              <Suspense>
                <DepositAnnounced announced={filed.answer} wallet={filed.wallet} onClose={close} />
              </Suspense>
            ) : (
              <RequestCompleted
                title="Deposit Request Completed"
                filed={filed?.answer ?? null}
                onClose={close}
              />
            )}
          </WithAside>
        )
      }}
    </Loaded>
  )
}

interface FiledDeposit {
  answer: AnnouncedDeposit
  wallet: Wallet | undefined
  /** With our sample receipt. */
  isPractice: boolean
}

/** `limits` is null if it could not be loaded: the server checks anyway. */
async function loadDeposit() {
  const [wallets, limits] = await Promise.all([call(listWallets), call(getLimits).catch(() => null)])
  return { wallets, limits, obstacle: findObstacle(limits, 'deposits') }
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

/** How it goes on. The form says what a receipt is needed for. */
function WhatHappens({ wallets, limits }: { wallets: readonly Wallet[]; limits: Limits | null }) {
  const hasOwn = wallets.some(({ own }) => own)
  return (
    <section aria-label="What happens next">
      {hasOwn ? (
        <ol>
          <li>Send the request. It keeps the price for {QUOTE_MINUTES} minutes.</li>
          <li>
            Pay the quantity that it names to your own address. We see the payment within a minute. If the
            network takes long to confirm it, the lower of this price and the price then counts.
          </li>
          <li>Once the network has confirmed it, what arrived is credited, without a fee.</li>
        </ol>
      ) : (
        <ol>
          <li>
            {site.mode === 'simulated' ? 'Pay nothing: this is practice.' : 'Pay, then send the request.'}
          </li>
          <li>An operator credits what arrived, without a fee. You can cancel until then.</li>
        </ol>
      )}
      {!hasOwn && limits && (
        <DecisionTimes kinds={[['deposits', 'decided', limits.decisionTimes.deposits]]} />
      )}
    </section>
  )
}
