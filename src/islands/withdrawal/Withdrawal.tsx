import { useState } from 'react'
import type { Filed } from '../../contract/common.ts'
import type { Limits } from '../../contract/limits.ts'
import type { Wallet } from '../../contract/wallets.ts'
import { ErrorBoundary } from '../../design/ErrorBoundary.tsx'
import { LoadFailure } from '../../design/LoadFailure.tsx'
import { Panel } from '../../design/Panel.tsx'
import { RadioGroup } from '../../design/RadioGroup.tsx'
import { Skeleton } from '../../design/Skeleton.tsx'
import { WithAside } from '../../design/WithAside.tsx'
import type { Destination } from '../address-book/SaveOffer.tsx'
import { SaveOfferLater } from '../address-book/SaveOfferLater.tsx'
import { HowLong } from '../filing/HowLong.tsx'
import { loadWithdrawal } from '../filing/load.ts'
import type { Obstacle } from '../filing/obstacle.ts'
import { draftOf, dropDraft } from '../lib/drafts.ts'
import { useResource } from '../lib/resource.ts'
import { RequestCompleted } from '../transactions/RequestCompleted.tsx'
import type { BankFormProps } from './BankForm.tsx'
import { CryptoForm } from './CryptoForm.tsx'
import { DRAFTS } from './drafts.ts'
import { METHODS } from './methods.ts'

/** Asking for money back, by cryptocurrency or by an online bank service. */
export function Withdrawal() {
  return (
    <ErrorBoundary home="/dashboard/overview">
      <Screen />
    </ErrorBoundary>
  )
}

/** What was filed, and where to, where that is an address. */
interface Done {
  filed: Filed | null
  destination?: Destination | undefined
}
type OnFiled = (filed: Filed, destination?: Destination) => void
const NOTHING_DONE: Done = { filed: null }

function Screen() {
  const resource = useResource('withdrawal', loadWithdrawal)
  const [{ filed, destination }, setDone] = useState<Done>(NOTHING_DONE)
  const onFiled: OnFiled = (filed, destination) => {
    setDone({ filed, destination })
    // The amount is held at once: less is available now.
    resource.reload()
  }
  switch (resource.state) {
    case 'loading':
      return <Waiting />
    case 'failed':
      return <LoadFailure msg={resource.msg} onRetry={resource.reload} />
    case 'ready': {
      const { Notice, ...facts } = resource.data
      return (
        <WithAside aside={<WhatHappens times={facts.limits.decisionTimes} />}>
          {Notice && facts.obstacle && <Notice obstacle={facts.obstacle} queue="withdrawals" />}
          <Panel title="New withdrawal">
            <Methods {...facts} onFiled={onFiled} onOutdated={resource.reload} />
          </Panel>
          <RequestCompleted
            title="Withdrawal Request Completed"
            filed={filed}
            onClose={() => setDone(NOTHING_DONE)}
          >
            {destination && <SaveOfferLater destination={destination} />}
          </RequestCompleted>
        </WithAside>
      )
    }
  }
}

interface MethodsProps {
  limits: Limits
  wallets: readonly Wallet[]
  obstacle: Obstacle | null
  onFiled: OnFiled
  /** The server refused by what the screen does not know yet. */
  onOutdated: () => void
}

/** Each method has a form of its own, so that changing the method starts with an empty one. */
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
      {method === 'bank' ? <LaterBankForm {...common} /> : <CryptoForm {...common} wallets={wallets} />}
    </>
  )
}

/** The longer form, fetched once it is chosen. */
function LaterBankForm(props: BankFormProps) {
  const form = useResource('bank form', () => import('./BankForm.tsx'))
  switch (form.state) {
    case 'loading':
      return <Skeleton height="block" />
    case 'failed':
      return <LoadFailure msg={form.msg} onRetry={form.reload} />
    case 'ready':
      return <form.data.BankForm {...props} />
  }
}

function Waiting() {
  return (
    <WithAside>
      <Panel>
        <p role="status" className="visually-hidden">
          Loading the withdrawal form
        </p>
        <Skeleton width="medium" />
        <Skeleton height="control" />
        <Skeleton height="control" />
        <Skeleton height="control" />
        <Skeleton height="control" />
        <Skeleton width="medium" height="control" />
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
      <HowLong
        told={[
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
