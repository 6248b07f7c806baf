import { lazy, Suspense } from 'react'
import { getCoinSymbol } from '../../../contract/console/coinWords.ts'
import {
  approveDeposit,
  getDeposit,
  getReceipt,
  listDeposits,
  type OperatorDeposit,
  rejectDeposit,
  revokeApproval,
} from '../../../contract/console/deposits.ts'
import { isolate } from '../../../contract/isolate.ts'
import { NETWORK_LABELS } from '../../../contract/money/coins.ts'
import { formatUsd } from '../../../contract/money.ts'
import { Copied } from '../../../design/CopyButton.tsx'
import { DateTime } from '../../../design/DateTime.tsx'
import { Facts } from '../../../design/Facts.tsx'
import { Money } from '../../../design/Money.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { Status } from '../../../design/Status.tsx'
import { site } from '../../../site.ts'
import { call, callBlob } from '../../lib/api.ts'
import type { OutcomeWords } from '../cases/Case.tsx'
import { CaseLoading } from '../cases/Case.tsx'
import { ConfirmOnly } from '../cases/ConfirmedForm.tsx'
import {
  amountColumn,
  buildAgeColumn,
  buildStatusColumn,
  CoinBriefly,
  CoinOnNetwork,
  investorColumn,
  listInvestorFacts,
  ReceivingAddress,
  refColumn,
} from '../cases/columns.tsx'
import { Picture } from '../cases/Picture.tsx'
import { QueueScreen } from '../cases/QueueScreen.tsx'
import type { CaseContext, QueueDecision, QueueKind } from '../cases/queueKind.ts'
import { rejectIt } from '../cases/ReasonForm.tsx'
import { listScreeningFact } from '../cases/ScreeningResult.tsx'
import { ApproveDeposit } from './ApproveDeposit.tsx'
import { getProvedAmount } from './credit.ts'

// Loaded for deposits to own addresses only.
const ApproveProved = lazy(async () => ({ default: (await import('./ApproveProved.tsx')).ApproveProved }))
const DepositPayment = lazy(async () => ({ default: (await import('./DepositPayment.tsx')).DepositPayment }))

export function DepositQueue() {
  return <QueueScreen kind={deposits} />
}

/** /operator/deposits: the deposits that investors announced, and their decisions. */
const deposits: QueueKind<OperatorDeposit> = {
  endpoint: listDeposits,
  plural: 'deposits',
  singular: 'deposit',
  searchedBy: 'Name, e-mail, reference, transaction id or address',
  filters: [
    {
      value: 'pending',
      label: 'Pending',
      query: { status: 'pending', waits: 'operator' },
      counted: ['deposit', 'second_credit'],
    },
    { value: 'hold', label: 'On hold', query: { status: 'pending', waits: 'investor' }, waits: true },
    { value: 'unpaid', label: 'Not paid yet', query: { status: 'pending', waits: 'payment' }, waits: true },
    { value: 'approved', label: 'Approved' },
    { value: 'rejected', label: 'Rejected' },
    { value: 'cancelled', label: 'Cancelled' },
    { value: 'reversed', label: 'Reversed' },
    { value: '', label: 'All' },
  ],
  workOf: ({ firstApproval }) => (firstApproval === undefined ? 'deposit' : 'second_credit'),
  columns: [
    refColumn,
    investorColumn,
    amountColumn,
    {
      key: 'coin',
      header: 'Coin',
      narrow: 'start',
      cell: ({ type, network }) => <CoinBriefly type={type} network={network} />,
    },
    buildAgeColumn(({ status }) => status === 'pending'),
    buildStatusColumn(renderDepositStatus),
  ],
  isPending: ({ status }) => status === 'pending',
  titleOf: (deposit) => (deposit ? `Deposit ${deposit.ref}, ${isolate(deposit.investor.name)}` : 'Deposit'),
  nameOf: ({ ref, investor }) => `${ref}, ${isolate(investor.name)}`,
  load: (id) => call(getDeposit, { params: { id } }),
  evidence: (deposit) => (
    <>
      {deposit.isProved && (
        <Suspense fallback={<CaseLoading what="payment" />}>
          <DepositPayment deposit={deposit} />
        </Suspense>
      )}
      {/* Only a deposit to an own address may have none. */}
      {deposit.hasReceipt !== false && (
        <Picture
          name={`receipt ${deposit._id}`}
          load={() => callBlob(getReceipt, { params: { id: deposit._id } })}
          alt={`Receipt of deposit ${deposit.ref}`}
        />
      )}
    </>
  ),
  details: (deposit) => (
    <>
      <Facts facts={listDepositFacts(deposit)} />
      {deposit.siblings && <Siblings siblings={deposit.siblings} />}
    </>
  ),
  investorOf: ({ investor }) => investor._id,
  notice: ({ firstApproval: first, isProved }, { me }) =>
    first && (
      <Notice tone="caution" title="A second operator must approve this">
        <span>{first.byId === me?._id ? 'You' : first.by}</span> approved <Money value={first.amount} /> under{' '}
        <code translate="no">{first.reference}</code> on <DateTime at={first.at} />. It is credited when
        another operator{' '}
        <span>
          {isProved
            ? 'confirms it'
            : `enters the same amount${first.hasQuantity ? ', transaction id and quantity' : ' and transaction id'}`}
        </span>
        .
      </Notice>
    ),
  decisions: listDepositDecisions,
  outcomeOf: describeDepositOutcome,
}

/** What else the deposit's transaction paid. */
function Siblings({ siblings }: { siblings: NonNullable<OperatorDeposit['siblings']> }) {
  return (
    <section aria-label="Same transaction">
      <h3>Same transaction</h3>
      <ul>
        {siblings.map(({ reference, network, request, investor, amount }) => (
          <li key={`${network} ${reference}`}>
            <span>
              {request === null ? 'A payment that is not credited' : `${request.ref} (${request.status})`}
            </span>{' '}
            of <bdi>{investor.name}</bdi> on {NETWORK_LABELS[network]}
            {amount !== null && (
              <span>
                , <Money value={amount} />
              </span>
            )}
            <span>
              : <code translate="no">{reference}</code>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** A deposit that one operator approved is still pending. */
function renderDepositStatus({ status, awaiting }: OperatorDeposit) {
  return <Status status={status} {...(awaiting && { label: 'Second approval' })} />
}

function listDepositFacts(deposit: OperatorDeposit) {
  const { status, txid, quantity, rate, reference, reason } = deposit
  return [
    { label: 'Status', value: renderDepositStatus(deposit) },
    ...listInvestorFacts(deposit.investor),
    { label: 'Announced', value: <Money value={deposit.asked} /> },
    (status === 'approved' || status === 'reversed') && {
      label: 'Credited',
      value: <Money value={deposit.amount} />,
    },
    { label: 'Coin', value: <CoinOnNetwork type={deposit.type} network={deposit.network} /> },
    quantity !== null && {
      label: 'Quantity that arrived',
      value: `${quantity} ${getCoinSymbol(deposit.type)}`,
    },
    rate !== null && { label: 'Rate', value: <Money value={rate} /> },
    { label: 'Sent', value: <DateTime at={deposit.createdAt} /> },
    {
      label: 'Paid to',
      value: <ReceivingAddress address={deposit.paymentTo} simulated={site.mode === 'simulated'} />,
    },
    (!deposit.isProved || txid !== null) && {
      label: 'Transaction id by the investor',
      value: txid === null ? 'None given' : <Copied text={txid} what="transaction id" />,
    },
    listScreeningFact(deposit.screening, 'sender'),
    deposit.sample && { label: 'Practice', value: 'Our sample receipt: nothing was paid' },
    reference !== null && { label: 'Credited under', value: <Copied text={reference} what="reference" /> },
    reason !== null && { label: 'Message to the investor', value: reason },
  ]
}

function listDepositDecisions(
  deposit: OperatorDeposit,
  { me }: CaseContext,
): readonly QueueDecision<OperatorDeposit>[] {
  const { status, ref, investor, firstApproval } = deposit
  if (status !== 'pending') return []
  const isOwn = firstApproval !== undefined && firstApproval.byId === me?._id
  const scope = 'operator:deposits.decide'
  return [
    {
      label: creditLabel(deposit),
      key: 'a',
      scope,
      variant: 'primary',
      isOpen: true,
      closed: isOwn
        ? 'You gave the first approval. Another operator must credit it.'
        : deposit.isProved && getProvedAmount(deposit) === null
          ? 'It is credited by itself once the chain proves its payment. Nobody credits it by hand.'
          : undefined,
      panel: (props) =>
        deposit.isProved ? (
          <Suspense fallback={<CaseLoading what="form" />}>
            <ApproveProved
              {...props}
              endpoint={approveDeposit}
              amount={getProvedAmount(deposit) ?? deposit.asked}
            />
          </Suspense>
        ) : (
          <ApproveDeposit {...props} />
        ),
    },
    ...(isOwn
      ? [
          {
            key: 't',
            label: `Take back your approval of ${formatUsd(firstApproval.amount)}`,
            scope,
            panel: (props) => (
              <ConfirmOnly {...props} endpoint={revokeApproval} confirmLabel="Take it back">
                <p>
                  Your approval of <strong>{formatUsd(firstApproval.amount)}</strong> for{' '}
                  <span translate="no">{ref}</span> under{' '}
                  <code translate="no">{firstApproval.reference}</code> no longer counts. Nothing is credited.
                  The audit log keeps it. The next approval is a first approval again.
                </p>
              </ConfirmOnly>
            ),
          } satisfies QueueDecision<OperatorDeposit>,
        ]
      : []),
    rejectIt(scope, 'Reject deposit', {
      kind: 'depositRejection',
      words: { name: investor.name, ref, amount: formatUsd(deposit.amount) },
      endpoint: rejectDeposit,
      told: 'the investor',
      consequence: `${ref} of ${isolate(investor.name)} is rejected. Nothing is credited.`,
      confirmLabel: 'Reject the deposit',
    }),
  ]
}

/** The button's label: a credit, the first of two approvals, or the second. */
function creditLabel(deposit: OperatorDeposit): string {
  const { asked, firstApproval, alone } = deposit
  if (firstApproval !== undefined) return `Approve and credit ${formatUsd(firstApproval.amount)}`
  return `${alone?.needsTwo === true ? 'Propose credit of' : 'Credit'} ${formatUsd(getProvedAmount(deposit) ?? asked)}`
}

function describeDepositOutcome(deposit: OperatorDeposit): OutcomeWords {
  const { investor, ref, firstApproval, status } = deposit
  if (firstApproval !== undefined) {
    return {
      tone: 'caution',
      title: 'Approved once. A second operator must approve it too',
      text: `Nothing is credited yet. ${isolate(firstApproval.by)} approved ${formatUsd(firstApproval.amount)} under ${firstApproval.reference}. Another operator must approve the same.`,
    }
  }
  const [title, text] =
    status === 'pending'
      ? ['Taken back', `Your approval of ${ref} no longer counts. The deposit is pending.`]
      : status === 'rejected'
        ? ['Rejected', `Nothing was credited for ${ref}. We sent ${isolate(investor.name)} the reason.`]
        : [
            'Credited',
            `${formatUsd(deposit.amount)} was credited to ${isolate(investor.name)} for ${ref}, under ${deposit.reference ?? 'its reference'}.`,
          ]
  return { tone: 'success', title, text }
}
