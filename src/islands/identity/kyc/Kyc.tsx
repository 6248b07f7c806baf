import { useState } from 'react'
import type { KycRecord } from '../../../contract/identity/kyc.ts'
import type { DecisionTime } from '../../../contract/money/decisionTimes.ts'
import { getLimits } from '../../../contract/money/limits.ts'
import { ButtonLink } from '../../../design/Button.tsx'
import { DateTime } from '../../../design/DateTime.tsx'
import { withErrorBoundary } from '../../../design/ErrorBoundary.tsx'
import { type Fact, Facts } from '../../../design/Facts.tsx'
import { Modal } from '../../../design/Modal.tsx'
import { Money } from '../../../design/Money.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { Skeleton } from '../../../design/Skeleton.tsx'
import { Status } from '../../../design/Status.tsx'
import { WithAside } from '../../../design/WithAside.tsx'
import { site } from '../../../site.ts'
import { call } from '../../lib/api.ts'
import { DecisionTimes } from '../../lib/DecisionTimes.tsx'
import { Loaded, Waiting } from '../../lib/Loaded.tsx'
import { useResource } from '../../lib/resource.ts'
import { useReloadUntilDecided } from '../../lib/SampleOffer.tsx'
import styles from './Kyc.module.css'
import { KycForm } from './KycForm.tsx'
import { type KycState, loadKycState } from './kycState.ts'

export const Kyc = withErrorBoundary(Screen, '/dashboard/overview')

function Screen() {
  const resource = useResource('kyc', loadScreen)
  const [isSent, setSent] = useState(false)
  const kyc = resource.state === 'ready' ? resource.data.kyc : null
  const isPractice = kyc !== null && isSampleWaiting(kyc)
  const address = resource.state === 'ready' ? resource.data.address?.proof : undefined
  const isPracticeAddress = address !== undefined && isSampleWaiting(address)
  const progress = useReloadUntilDecided(isPractice || isPracticeAddress, resource.reload, 'approves it')
  return (
    <Loaded resource={resource} waiting={<WaitingForm />}>
      {({ kyc, address, time }) => (
        <WithAside
          aside={kyc.state !== 'approved' && <WhatHappens isSent={kyc.state === 'pending'} time={time} />}
        >
          {kyc.state === 'approved' && <Approved record={kyc.record} />}
          {kyc.state === 'pending' && <Pending record={kyc.record} progress={isPractice ? progress : WAIT} />}
          {kyc.state === 'rejected' && <Rejected record={kyc.record} />}
          {(kyc.state === 'missing' || (kyc.state === 'rejected' && !kyc.record.final)) && (
            <KycForm kind="identity" onSent={(isSample) => (isSample ? resource.reload() : setSent(true))} />
          )}
          {address !== null && ['pending', 'approved'].includes(kyc.state) && (
            <AddressProof
              {...address}
              progress={isPracticeAddress ? progress : WAIT}
              onSent={(isSample) => (isSample ? resource.reload() : setSent(true))}
            />
          )}
          <KycSent open={isSent} />
        </WithAside>
      )}
    </Loaded>
  )
}

function WaitingForm() {
  return (
    <WithAside>
      <Panel>
        <Waiting label="Loading your verification">
          <Skeleton width="long" />
          <Skeleton height="control" />
          <Skeleton height="block" />
          <Skeleton width="medium" height="control" />
        </Waiting>
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
            <span>
              {site.mode === 'simulated' ? 'sample picture' : 'picture of the page with your photograph'}
            </span>
            .
          </li>
        )}
        <li>We store it encrypted. This page shows who looked at it, and when.</li>
        <li>A reviewer approves it or says what is missing. Then you can send another one.</li>
        <li>After approval you can deposit and withdraw.</li>
      </ol>
      {time !== undefined && <DecisionTimes kinds={[['documents', 'reviewed', time]]} />}
    </section>
  )
}

interface RejectedProps {
  title?: string
  record: KycRecord
}

function Rejected({ title = 'Your document was not accepted', record }: RejectedProps) {
  if (record.final)
    return (
      <Notice
        tone="danger"
        title="We cannot verify your identity"
        actions={
          <ButtonLink href="/contact-us" size="small">
            Contact us
          </ButtonLink>
        }
      >
        <p>{record.reason ?? 'The reviewer gave no reason.'}</p>
        <p className="soft">
          This decision is final: we do not accept another document. If you think that this is a mistake,
          write to us. Another person than the one who decided looks at it.
        </p>
      </Notice>
    )
  return (
    <Notice tone="danger" title={title}>
      <p>{record.reason ?? 'The reviewer gave no reason. Please contact support.'}</p>
      <p className="soft">
        Submitted on <DateTime at={record.createdAt} show="date" />. Please send a new picture below.
      </p>
    </Notice>
  )
}

/** `time` is undefined when the decision times could not be loaded. */
async function loadScreen() {
  const [kyc, proof, limits] = await Promise.all([
    loadKycState(),
    loadKycState('address').catch((): KycState => ({ state: 'missing' })),
    call(getLimits).catch(() => undefined),
  ])
  const left = limits?.withdrawals.withoutAddressProof ?? null
  const address = left === null && proof.state === 'missing' ? null : { proof, left }
  return { kyc, address, time: limits?.decisionTimes.identity }
}

function isSampleWaiting(state: KycState): boolean {
  return state.state === 'pending' && state.record.sample === true
}

interface AddressProofProps {
  proof: KycState
  /** USD that can be withdrawn before it is needed; null if it is not needed. */
  left: number | null
  progress: string
  onSent: (isSample: boolean) => void
}

/** The proof of address: its state, and the form to send it. */
function AddressProof({ proof, left, progress, onSent }: AddressProofProps) {
  return (
    <>
      {proof.state === 'approved' && <AddressApproved record={proof.record} />}
      {proof.state === 'pending' && (
        <Pending title="Your proof of address is awaiting review" record={proof.record} progress={progress} />
      )}
      {proof.state === 'rejected' && (
        <Rejected title="Your proof of address was not accepted" record={proof.record} />
      )}
      {proof.state !== 'approved' && left !== null && (
        <Notice title="We ask for a proof of address">
          {left > 0 ? (
            <span>
              You can withdraw <Money value={left} /> more without it.
            </span>
          ) : (
            <span>You can withdraw again once it is approved.</span>
          )}
        </Notice>
      )}
      {(proof.state === 'missing' || proof.state === 'rejected') && (
        <KycForm kind="address" onSent={onSent} />
      )}
    </>
  )
}

function AddressApproved({ record }: { record: KycRecord }) {
  return (
    <Panel title="Your proof of address">
      <Facts
        facts={[
          { label: 'Document', value: record.document },
          record.issuedOn !== undefined && {
            label: 'Issued on',
            value: <DateTime at={record.issuedOn} show="date" timeZone="UTC" />,
          },
          { label: 'Submitted', value: <DateTime at={record.createdAt} /> },
          { label: 'Status', value: <Status status={record.status} label="Approved" /> },
          buildEncryptionFact(record),
        ]}
      />
      <ViewLog {...record} />
    </Panel>
  )
}

function Approved({ record }: { record: KycRecord }) {
  return (
    <>
      <Notice
        tone="success"
        title="Congratulations"
        actions={
          <ButtonLink href="/dashboard/deposit" size="small">
            Deposit
          </ButtonLink>
        }
      >
        Your identity is verified. You can deposit and withdraw.
      </Notice>
      <Panel title="Your document">
        <Facts
          facts={[
            { label: 'Verification method', value: record.document },
            { label: 'Submitted', value: <DateTime at={record.createdAt} /> },
            buildEncryptionFact(record),
          ]}
        />
        <ViewLog {...record} />
      </Panel>
    </>
  )
}

const WAIT = 'You need not do anything. We tell you by mail when a reviewer has decided.'

interface PendingProps {
  title?: string
  record: KycRecord
  progress: string
}

function Pending({ title = 'Your document is awaiting review', record, progress }: PendingProps) {
  return (
    <Panel title={title}>
      <p role="status">{progress}</p>
      <Facts
        facts={[
          { label: 'Verification method', value: record.document },
          { label: 'Submitted', value: <DateTime at={record.createdAt} /> },
          { label: 'Status', value: <Status status={record.status} label="Awaiting review" /> },
          buildEncryptionFact(record),
        ]}
      />
      <ViewLog {...record} />
    </Panel>
  )
}

/** Reloads the page when closed, to show the pending document. */
function KycSent({ open }: { open: boolean }) {
  return (
    <Modal
      open={open}
      onClose={() => location.reload()}
      title="KYC Request Sent"
      actions={
        <ButtonLink href="/dashboard/overview" variant="primary">
          Back to Overview
        </ButtonLink>
      }
    >
      <p>Your document is awaiting review. We tell you the outcome by mail and on this page.</p>
    </Modal>
  )
}

function buildEncryptionFact({ sealedBy }: Pick<KycRecord, 'sealedBy'>): Fact {
  return {
    label: 'Encrypted',
    value: sealedBy === 'browser' ? 'In your browser, for the reviewers' : 'By our server, when it arrived',
  }
}

/** Lists who viewed the document, and when. */
function ViewLog({ looks, status }: Pick<KycRecord, 'looks' | 'status'>) {
  return (
    <>
      <h3 className={styles.title}>Who looked at it</h3>
      {looks.length === 0 ? (
        <p>{status === 'pending' ? 'Nobody has looked at it yet.' : 'No views are recorded.'}</p>
      ) : (
        <ul className={styles.looks}>
          {looks.map(({ at, by }) => (
            <li key={`${at} ${by}`}>
              {by}
              <span className={styles.at}>
                <DateTime at={at} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
