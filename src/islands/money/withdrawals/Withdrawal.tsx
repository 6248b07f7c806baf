import { type ComponentProps, useState } from 'react'
import type { Filed } from '../../../contract/common.ts'
import { getLimits, type Limits } from '../../../contract/money/limits.ts'
import { listWallets, type Wallet } from '../../../contract/money/wallets.ts'
import { withErrorBoundary } from '../../../design/ErrorBoundary.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { RadioGroup } from '../../../design/RadioGroup.tsx'
import { Skeleton } from '../../../design/Skeleton.tsx'
import { WithAside } from '../../../design/WithAside.tsx'
import { call } from '../../lib/api.ts'
import { DecisionTimes } from '../../lib/DecisionTimes.tsx'
import { draftOf, dropDraft } from '../../lib/drafts.ts'
import { Loaded, Waiting } from '../../lib/Loaded.tsx'
import { useResource } from '../../lib/resource.ts'
import { type Destination, SaveOffer } from '../destinations/AddressBook.tsx'
import { FilingNotice } from '../requests/FilingNotice.tsx'
import { obstacleOf } from '../requests/limits.ts'
import { RequestCompleted } from '../transactions/RequestCompleted.tsx'
import { DRAFTS, METHODS } from './methods.ts'
import { BankForm, CryptoForm } from './WithdrawalForms.tsx'

export const Withdrawal = withErrorBoundary(Screen, '/dashboard/overview')

function Screen() {
  const resource = useResource('withdrawal', loadWithdrawal)
  const [done, setDone] = useState<{ filed: Filed; destination?: Destination | undefined } | null>(null)
  return (
    <Loaded resource={resource} waiting={<WaitingForm />}>
      {(facts) => (
        <WithAside aside={<WhatHappens times={facts.limits.decisionTimes} />}>
          {facts.obstacle && <FilingNotice obstacle={facts.obstacle} queue="withdrawals" />}
          <Panel title="New withdrawal">
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

/** If the wallets cannot be loaded, the form offers all networks. */
async function loadWithdrawal() {
  const [wallets, limits] = await Promise.all([call(listWallets).catch((): Wallet[] => []), call(getLimits)])
  return { wallets, limits, obstacle: obstacleOf(limits, 'withdrawals') }
}

type MethodsProps = ComponentProps<typeof CryptoForm>

/** Each method has its own form. Changing the method starts with an empty one. */
function Methods({ wallets, ...common }: MethodsProps) {
  const [method, setMethod] = useState(() => (draftOf(DRAFTS.bank) ? 'bank' : 'crypto'))
  return (
    <>
      <RadioGroup
        label="Withdrawal method"
        name="method"
        options={METHODS}
        value={method}
        onChange={({ target }) => {
          setMethod(target.value)
          for (const draft of Object.values(DRAFTS)) dropDraft(draft)
        }}
      />
      {method === 'bank' ? <BankForm {...common} /> : <CryptoForm {...common} wallets={wallets} />}
    </>
  )
}

function WaitingForm() {
  return (
    <WithAside>
      <Panel>
        <Waiting label="Loading the withdrawal form">
          <Skeleton width="medium" />
          <Skeleton height="control" />
          <Skeleton height="control" />
          <Skeleton height="control" />
          <Skeleton height="control" />
          <Skeleton width="medium" height="control" />
        </Waiting>
      </Panel>
    </WithAside>
  )
}

function WhatHappens({ times: { withdrawals, payouts } }: { times: Limits['decisionTimes'] }) {
  return (
    <section aria-labelledby="withdrawal-steps">
      <h2 id="withdrawal-steps">What happens next</h2>
      <ol>
        <li>The amount is held at once, so that it can’t be spent twice.</li>
        <li>Where something looks unusual, we ask for a code first.</li>
        <li>An operator approves and pays it, or says why not: then all of it is available again.</li>
      </ol>
      <DecisionTimes
        kinds={[
          ['withdrawals', 'decided', withdrawals],
          ['withdrawals', 'paid', payouts],
        ]}
      />
      <p>
        You can cancel it while it is pending. There is no fee, and withdrawing never asks you for a payment.
      </p>
    </section>
  )
}
