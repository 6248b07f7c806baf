import { type ComponentProps, lazy, Suspense, useState } from 'react'
import type { FiledRequest } from '../../../contract/common.ts'
import { getUserInfo, type UserInfo } from '../../../contract/identity/userInfo.ts'
import { getLimits, type Limits } from '../../../contract/money/limits.ts'
import { listWallets, type Wallet } from '../../../contract/money/wallets.ts'
import { DateTime } from '../../../design/DateTime.tsx'
import { withErrorBoundary } from '../../../design/ErrorBoundary.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { RadioGroup } from '../../../design/RadioGroup.tsx'
import { Skeleton } from '../../../design/Skeleton.tsx'
import { WithAside } from '../../../design/WithAside.tsx'
import { call } from '../../lib/api.ts'
import { DecisionTimes } from '../../lib/DecisionTimes.tsx'
import { deleteDraft, findDraft } from '../../lib/drafts.ts'
import { Loaded, Waiting } from '../../lib/Loaded.tsx'
import { useResource } from '../../lib/resource.ts'
import { getSession } from '../../lib/session.ts'
import { type Destination, SaveOffer } from '../destinations/AddressBook.tsx'
import { FilingNotice } from '../requests/FilingNotice.tsx'
import { findObstacle } from '../requests/limits.ts'
import { RequestCompleted } from '../transactions/RequestCompleted.tsx'
import type { OtherMoney } from './AmountField.tsx'
import { DRAFTS, METHODS } from './methods.ts'
import { CryptoForm } from './WithdrawalForms.tsx'

export const Withdrawal = withErrorBoundary(Screen, '/dashboard/overview')

function Screen() {
  const resource = useResource('withdrawal', loadWithdrawal)
  const [done, setDone] = useState<{ filed: FiledRequest; destination?: Destination | undefined } | null>(
    null,
  )
  return (
    <Loaded resource={resource} waiting={<WaitingForm />}>
      {(facts) => (
        <WithAside aside={<WhatHappens limits={facts.limits} />}>
          {facts.limits.payoutsPausedSince !== null && (
            <Notice tone="caution" title="Payouts are paused">
              Since <DateTime at={facts.limits.payoutsPausedSince} />. We still take your request and hold its
              amount. We pay it once payouts are resumed.
            </Notice>
          )}
          {facts.limits.destinationLock && (
            <Notice tone="info" title="Only saved destinations">
              Since <DateTime at={facts.limits.destinationLock.since} />, your withdrawals go only to your
              saved addresses, and to bank accounts that you confirmed before.{' '}
              <a href="/dashboard/profile#security">Change this in your profile</a>
            </Notice>
          )}
          {facts.obstacle && <FilingNotice obstacle={facts.obstacle} queue="withdrawals" />}
          <Panel>
            <Methods
              {...facts}
              onFiled={(filed, destination) => {
                setDone({ filed, destination })
                // The amount is held now, so less is available.
                resource.reload()
              }}
              onOutdated={resource.reload}
            />
          </Panel>
          <RequestCompleted
            title="Withdrawal Request Completed"
            filed={done?.filed ?? null}
            onClose={() => setDone(null)}
          >
            {done?.destination && <SaveOffer destination={done.destination} />}
          </RequestCompleted>
        </WithAside>
      )}
    </Loaded>
  )
}

/** If the wallets cannot be loaded, the form offers all networks. Without the user info, only the name is filled in. */
async function loadWithdrawal() {
  const [wallets, limits, info] = await Promise.all([
    call(listWallets).catch((): Wallet[] => []),
    call(getLimits),
    call(getUserInfo, { query: { fields: INFO } }).catch(() => null),
  ])
  const money = info && toOtherMoney(info)
  const obstacle = findObstacle(limits, 'withdrawals')
  return {
    wallets,
    limits,
    money,
    payee: { name: getSession()?.name ?? '', ...info },
    obstacle: obstacle === 'empty' && money !== null && money.inStrategies > 0 ? 'invested' : obstacle,
  } as const
}

export const INFO = 'invested unrealised allocating owed country gender'

function toOtherMoney({
  invested = 0,
  unrealised = 0,
  allocating = 0,
  owed = 0,
}: Partial<UserInfo>): OtherMoney {
  return { inStrategies: invested + unrealised, allocating, owed }
}

/** Loaded when it is chosen. */
const BankForm = lazy(() => import('./BankForm.tsx').then(({ BankForm }) => ({ default: BankForm })))

type MethodsProps = ComponentProps<typeof CryptoForm>

/** Each method has its own form. Changing the method starts with an empty one. */
function Methods({ wallets, ...common }: MethodsProps) {
  const [method, setMethod] = useState(() => (findDraft(DRAFTS.bank) ? 'bank' : 'crypto'))
  return (
    <>
      <RadioGroup
        label="Withdrawal method"
        name="method"
        options={METHODS}
        value={method}
        onChange={({ target }) => {
          setMethod(target.value)
          for (const draft of Object.values(DRAFTS)) deleteDraft(draft)
        }}
      />
      {method === 'bank' ? (
        <Suspense fallback={<WaitingFields />}>
          <BankForm {...common} />
        </Suspense>
      ) : (
        <CryptoForm {...common} wallets={wallets} />
      )}
    </>
  )
}

function WaitingForm() {
  return (
    <WithAside>
      <Panel>
        <WaitingFields />
      </Panel>
    </WithAside>
  )
}

function WaitingFields() {
  return (
    <Waiting label="Loading the withdrawal form">
      <Skeleton width="medium" />
      <Skeleton height="control" />
      <Skeleton height="control" />
      <Skeleton height="control" />
      <Skeleton height="control" />
      <Skeleton width="medium" height="control" />
    </Waiting>
  )
}

function WhatHappens({ limits: { decisionTimes } }: { limits: Limits }) {
  return (
    <section aria-label="What happens next">
      <ol>
        <li>We may ask for a code.</li>
        <li>The amount is held until an operator decides. You can cancel until then.</li>
      </ol>
      <p>No fee. We never ask for a payment.</p>
      <DecisionTimes
        kinds={[
          ['withdrawals', 'decided', decisionTimes.withdrawals],
          ['withdrawals', 'paid', decisionTimes.payouts],
        ]}
      />
    </section>
  )
}
