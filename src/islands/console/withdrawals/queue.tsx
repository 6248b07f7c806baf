import { formatAssetQuantity, getCoinSymbol } from '../../../contract/console/coinWords.ts'
import type { PayoutPause } from '../../../contract/console/payoutPause.ts'
import {
  describeProof,
  describeProofReason,
  describeRequestStatus,
} from '../../../contract/console/requestWords.ts'
import {
  approveWithdrawal,
  completeWithdrawal,
  completeWithdrawalForm,
  FEE_COINS,
  getWithdrawal,
  listWithdrawals,
  type OperatorWithdrawal,
  rejectWithdrawal,
} from '../../../contract/console/withdrawals.ts'
import { formatDateTime } from '../../../contract/dates.ts'
import { isolate } from '../../../contract/isolate.ts'
import { normalizeReference } from '../../../contract/money/references.ts'
import { formatUsd } from '../../../contract/money.ts'
import { formatNumber } from '../../../contract/numbers.ts'
import { Copied, CopyButton } from '../../../design/CopyButton.tsx'
import { DateTime, TableDate } from '../../../design/DateTime.tsx'
import { Facts } from '../../../design/Facts.tsx'
import { TextField } from '../../../design/Field.tsx'
import { Money } from '../../../design/Money.tsx'
import { MoneyField } from '../../../design/MoneyField.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { Status } from '../../../design/Status.tsx'
import { call } from '../../lib/api.ts'
import { getServerNow } from '../../lib/serverTime.ts'
import type { OutcomeWords } from '../cases/Case.tsx'
import { ConfirmedForm, ConfirmOnly, type DecisionProps, useConfirmedForm } from '../cases/ConfirmedForm.tsx'
import {
  amountColumn,
  buildAgeColumn,
  buildStatusColumn,
  CoinBriefly,
  investorColumn,
  listInvestorFacts,
  refColumn,
} from '../cases/columns.tsx'
import { withFactor } from '../cases/factor.tsx'
import { QueueScreen } from '../cases/QueueScreen.tsx'
import type { CaseContext, QueueDecision, QueueKind } from '../cases/queueKind.ts'
import { rejectIt } from '../cases/ReasonForm.tsx'
import { RISK_REASON_REFUSED, RiskReasonField } from '../cases/RiskReasonField.tsx'
import { listScreeningFact } from '../cases/ScreeningResult.tsx'
import { Destination, DestinationLine } from './Destination.tsx'
import {
  describeOwnApproval,
  describePayoutMethod,
  describePayoutState,
  describeSoloAllowance,
  findPayee,
  formatNetworkFee,
  HOLD_REASON,
  isOnHold,
  PAID_BY_CHAIN,
} from './words.ts'

export function WithdrawalQueue() {
  return <QueueScreen kind={withdrawals} />
}

/** /operator/withdrawals: withdrawals are approved first, then paid and recorded. */
const withdrawals: QueueKind<OperatorWithdrawal> = {
  endpoint: listWithdrawals,
  plural: 'withdrawals',
  singular: 'withdrawal',
  searchedBy: 'Name, e-mail, reference, transaction id or address',
  filters: [
    {
      value: 'pending',
      label: 'Pending',
      query: { status: 'pending', waits: 'operator' },
      counted: ['withdrawal'],
    },
    {
      value: 'approved',
      label: 'To be paid',
      query: { status: 'approved', hold: 'payable', waits: 'operator' },
      counted: ['payout'],
    },
    { value: 'hold', label: 'On hold', query: { waits: 'investor' }, waits: true },
    {
      value: 'delayed',
      label: 'Approved, delayed',
      query: { status: 'approved', hold: 'delayed' },
      waits: true,
    },
    { value: 'completed', label: 'Completed' },
    { value: 'rejected', label: 'Rejected' },
    { value: 'cancelled', label: 'Cancelled' },
    { value: 'reversed', label: 'Reversed' },
    { value: '', label: 'All' },
  ],
  workOf: ({ status }) => (status === 'approved' ? 'payout' : 'withdrawal'),
  columns: [
    refColumn,
    investorColumn,
    amountColumn,
    {
      key: 'method',
      header: 'Paid in',
      narrow: 'start',
      cell: (row) =>
        row.type === null || row.network === null ? (
          describePayoutMethod(row)
        ) : (
          <CoinBriefly type={row.type} network={row.network} />
        ),
    },
    buildAgeColumn((row) => row.status === 'pending' || (row.status === 'approved' && !isDelayed(row))),
    buildStatusColumn(renderStatusCell),
  ],
  isPending: (withdrawal, filter) =>
    filter === 'approved'
      ? withdrawal.status === 'approved' && !isOnHold(withdrawal, getServerNow())
      : withdrawal.status === 'pending',
  titleOf: (withdrawal) =>
    withdrawal ? `Withdrawal ${withdrawal.ref}, ${isolate(withdrawal.investor.name)}` : 'Withdrawal',
  nameOf: ({ ref, investor }) => `${ref}, ${isolate(investor.name)}`,
  load: (id) => call(getWithdrawal, { params: { id } }),
  evidence: (withdrawal) => <Destination withdrawal={withdrawal} />,
  details: (withdrawal) => <Facts facts={listWithdrawalFacts(withdrawal)} />,
  investorOf: ({ investor }) => investor._id,
  notice: (withdrawal) => (
    <>
      {withdrawal.payoutPause && <PauseNotice pause={withdrawal.payoutPause} />}
      {withdrawal.lacksAddressProofAbove != null && (
        <Notice tone="caution" title="No approved proof of address">
          This person has no approved proof of address, which withdrawals above{' '}
          {formatUsd(withdrawal.lacksAddressProofAbove)} in total need.
        </Notice>
      )}
      {isDelayed(withdrawal) && (
        <Notice tone="caution" title="Delayed: do not pay it yet">
          Payable from <DateTime at={withdrawal.heldUntil ?? ''} />. {HOLD_REASON}. Until then, the investor
          can stop it.
        </Notice>
      )}
      {withdrawal.alone && !withdrawal.payoutPause && (
        <p className="soft small">{describeSoloAllowance(withdrawal.alone)}</p>
      )}
    </>
  ),
  decisions: listWithdrawalDecisions,
  outcomeOf: describeWithdrawalOutcome,
}

/** Nobody may send money that cannot be recorded. */
function PauseNotice({ pause: { since, by, reason } }: { pause: PayoutPause }) {
  return (
    <Notice tone="danger" title="Payouts are paused. Pay nothing.">
      <bdi>{by.name}</bdi> paused them, <DateTime at={since} />. <bdi>{reason}</bdi>
    </Notice>
  )
}

/** Approved, and payable only after its hold. */
function isDelayed(withdrawal: OperatorWithdrawal): boolean {
  return withdrawal.status === 'approved' && isOnHold(withdrawal, getServerNow())
}

function renderStatusCell(withdrawal: OperatorWithdrawal) {
  const { status, heldUntil, steps } = withdrawal
  if (heldUntil === null || !isDelayed(withdrawal)) {
    const approver = steps.findLast(({ step }) => step === 'approved')?.by
    return (
      <>
        <Status status={status} label={describeRequestStatus(status)} />
        {status === 'approved' && approver && (
          <div className="small soft">
            by <bdi>{approver.name}</bdi>
          </div>
        )}
      </>
    )
  }
  return (
    <>
      <Status status="pending" label="Delayed" />
      <div className="small soft">
        Payable from <TableDate at={heldUntil} />
      </div>
    </>
  )
}

function listWithdrawalFacts(withdrawal: OperatorWithdrawal) {
  const { reasons, reference, reason, heldUntil, sent } = withdrawal
  return [
    { label: 'Status', value: renderStatusCell(withdrawal) },
    ...listInvestorFacts(withdrawal.investor),
    withdrawal.documentName != null && {
      label: 'Name on the document',
      value: withdrawal.documentName,
    },
    { label: 'Amount', value: <Money value={withdrawal.amount} /> },
    { label: 'Asked for', value: <DateTime at={withdrawal.createdAt} /> },
    withdrawal.isOfPlan && {
      label: 'Asked for by',
      value: 'A recurring plan of the investor, announced a day before',
    },
    { label: 'Extra proof', value: describeProof(withdrawal.proof) },
    reasons.length > 0 && {
      label: 'Why extra proof was required',
      value: reasons.map((proofReason) => <div key={proofReason}>{describeProofReason(proofReason)}</div>),
    },
    heldUntil !== null && {
      label: 'Payable from',
      value: (
        <>
          <DateTime at={heldUntil} />
          <div>{HOLD_REASON}</div>
        </>
      ),
    },
    listScreeningFact(withdrawal.screening),
    withdrawal.paidByChain && { label: 'Payout', value: <PayoutLink payout={withdrawal.payout ?? null} /> },
    reference !== null && { label: 'Paid under', value: <Copied text={reference} what="reference" /> },
    sent !== null && {
      label: 'Sent',
      value: (
        <>
          <span>{formatAssetQuantity(sent.quantity, withdrawal.type ?? '')}</span>
          {sent.expected !== undefined && (
            <div>
              <Status
                status="caution"
                label={`${describeQuantityOff(sent.quantity, sent.expected)} the ${formatAssetQuantity(sent.expected, withdrawal.type ?? '')} of the approval`}
              />
            </div>
          )}
        </>
      ),
    },
    formatNetworkFee(withdrawal) !== null && { label: 'Network fee', value: formatNetworkFee(withdrawal) },
    reason !== null && { label: 'Message to the investor', value: reason },
  ]
}

/** Where to follow the payout of a withdrawal, or to build one. */
function PayoutLink({ payout }: { payout: NonNullable<OperatorWithdrawal['payout']> | null }) {
  if (payout === null) return <a href="/operator/payouts">Build a payout</a>
  const { _id, txid, confirmations, needed } = payout
  return (
    <>
      <a href={`/operator/payouts?open=${_id}`}>{describePayoutState(payout)}</a>
      <span>{txid !== null && `, ${confirmations} of ${needed} confirmations`}</span>
    </>
  )
}

function describeWithdrawalOutcome(withdrawal: OperatorWithdrawal): OutcomeWords {
  const { status, amount, investor, ref, reference, heldUntil } = withdrawal
  const payee = isolate(findPayee(withdrawal))
  const sum = formatUsd(amount)
  const [title, text] =
    status === 'approved'
      ? [
          'Approved',
          isDelayed(withdrawal) && heldUntil !== null
            ? `${sum} for ${ref} can be paid to ${payee} from ${formatDateTime(heldUntil)}. Until then, find it under “Approved, delayed”.`
            : `${sum} for ${ref} can be paid to ${payee}. Its case under “To be paid” says how.`,
        ]
      : status === 'completed'
        ? ['Paid', `${sum} was paid to ${payee} for ${ref}, under ${reference ?? 'its reference'}.`]
        : ['Rejected', `${sum} is available to ${isolate(investor.name)} again. We sent them the reason.`]
  return { tone: 'success', title, text }
}

/** The possible decisions: none once a withdrawal is paid, rejected or cancelled. */
function listWithdrawalDecisions(
  row: OperatorWithdrawal,
  { me, settings }: CaseContext,
): readonly QueueDecision<OperatorWithdrawal>[] {
  const scope = 'operator:withdrawals.decide'
  const reject = rejectIt<OperatorWithdrawal>(scope, 'Reject withdrawal', {
    kind: 'withdrawalRejection',
    words: { name: row.investor.name, ref: row.ref, amount: formatUsd(row.amount) },
    endpoint: rejectWithdrawal,
    told: 'the investor',
    consequence: `${row.ref} is rejected. ${formatUsd(row.amount)} is available to ${isolate(row.investor.name)} again.`,
    confirmLabel: 'Reject the withdrawal',
  })
  const approval = { key: 'a', scope, variant: 'primary', isOpen: true } as const
  if (row.payoutPause) return [reject]
  switch (row.status) {
    case 'pending':
      return [
        {
          ...approval,
          label: `Approve payout of ${formatUsd(row.amount)}`,
          panel: (props) => <ApproveWithdrawal {...props} />,
        },
        reject,
      ]
    case 'approved':
      return [
        {
          ...approval,
          label: `Record payment of ${formatUsd(row.amount)}`,
          closed: row.paidByChain
            ? PAID_BY_CHAIN
            : isDelayed(row)
              ? 'You can record the payment after the delay.'
              : describeOwnApproval(row, me, settings),
          panel: (props) => <CompleteWithdrawal {...props} />,
        },
        reject,
      ]
    default:
      return []
  }
}

/** The e-mail address of the investor, and their name where another one is paid. */
function InvestorOfPayee({ withdrawal }: { withdrawal: OperatorWithdrawal }) {
  const { name, email } = withdrawal.investor
  return (
    <span>
      {findPayee(withdrawal) !== name && (
        <span>
          account of <bdi>{name}</bdi>,{' '}
        </span>
      )}
      <span translate="no">{email}</span>
    </span>
  )
}

interface PaidFromProps {
  from: NonNullable<OperatorWithdrawal['paidFrom']>
  asset: string
  /** The quantity that the operator enters. */
  typed?: string
}

/** The books of the place that pays, with a warning if they have too little. */
function PaidFrom({ from, asset, typed }: PaidFromProps) {
  const { place, quantity } = from
  const isShort = from.isShort || (typed !== undefined && Number(typed) > Number(quantity))
  const held = (
    <span>
      In the books of “<bdi>{place}</bdi>”: <strong>{formatAssetQuantity(quantity, asset)}</strong>.
    </span>
  )
  if (!isShort) return <p>{held}</p>
  return (
    <Notice tone="caution" title="The books have less than this payment">
      {held}{' '}
      <span>
        If it is paid from another place, record a move in <a href="/operator/treasury">Treasury</a> first.
        Otherwise its books fall below zero.
      </span>
    </Notice>
  )
}

/** Whether a quantity is more than 2 % off the one to send. The server decides. */
function isFarOff(quantity: number, expected: number): boolean {
  return Math.abs(quantity - expected) > expected * 0.02
}

/** A quantity compared with the one to send: "90% less than". */
function describeQuantityOff(quantity: string, expected: string): string {
  const off = (Number(quantity) / Number(expected) - 1) * 100
  return `${formatNumber(Math.abs(off), 1)}% ${off > 0 ? 'more' : 'less'} than`
}

/** Approves a pending withdrawal, which can then be paid. */
function ApproveWithdrawal(props: DecisionProps<OperatorWithdrawal>) {
  const { alone, amount, heldUntil, investor, ref, risk, toSend, type } = props.row
  return (
    <ConfirmOnly
      {...props}
      risk={risk}
      endpoint={approveWithdrawal}
      confirmLabel={`Approve payout of ${formatUsd(amount)}`}
      what={`${formatUsd(amount)} to be paid to ${isolate(investor.name)}, for ${ref}`}
    >
      <p>
        <strong>
          {formatUsd(amount)} to be paid to <bdi>{findPayee(props.row)}</bdi>
        </strong>{' '}
        (<InvestorOfPayee withdrawal={props.row} />
        ), for <span translate="no">{ref}</span>.
      </p>
      <DestinationLine withdrawal={props.row} />
      {toSend && (
        <p>
          Approving fixes the price of the payout: {formatAssetQuantity(toSend.quantity, type ?? '')} at{' '}
          {formatUsd(Number(toSend.rate))}.
        </p>
      )}
      {toSend === null && <p>There is no market price now. If you approve it, two operators pay it.</p>}
      {props.row.paidFrom?.isShort === true && <PaidFrom from={props.row.paidFrom} asset={type ?? 'usd'} />}
      {alone?.needsTwo === true && <p>If you approve it, another operator must record the payment.</p>}
      {heldUntil !== null && isOnHold(props.row, getServerNow()) && (
        <p>
          You can approve it now. It can be paid from <DateTime at={heldUntil} />.
        </p>
      )}
    </ConfirmOnly>
  )
}

/** Records that an approved withdrawal was paid, under its transaction id or the bank's reference. */
function CompleteWithdrawal(props: DecisionProps<OperatorWithdrawal>) {
  const { row, onDecided, onOvertaken, onCancel } = props
  const approval = row.steps.findLast(({ step }) => step === 'approved')
  const feeCoin = row.network === null ? undefined : FEE_COINS[row.network]
  const form = useConfirmedForm({
    endpoint: completeWithdrawal,
    schema: completeWithdrawalForm(row.network),
    params: { id: row._id },
    send: withFactor(
      completeWithdrawal,
      `${formatUsd(row.amount)} paid to ${isolate(row.investor.name)}, for ${row.ref}`,
    ),
    onDone: onDecided,
    onOvertaken,
    beside: RISK_REASON_REFUSED,
    atOnce: ['reference', 'quantity', 'fee'],
  })
  const typed = String(form.form.watch('quantity') ?? '').trim()
  const isOff = Number(typed) > 0 && isFarOff(Number(typed), Number(row.toSend?.quantity))
  return (
    <ConfirmedForm
      form={form}
      confirmLabel={`Record payment of ${formatUsd(row.amount)}`}
      summary={({ reference, quantity, fee }) => (
        <>
          <p>
            <strong>
              {formatUsd(row.amount)} was paid to <bdi>{findPayee(row)}</bdi>
            </strong>{' '}
            (<InvestorOfPayee withdrawal={row} />
            ), for <span translate="no">{row.ref}</span>.
          </p>
          <DestinationLine withdrawal={row} />
          <p>
            <span className="soft">{row.bank ? 'The bank’s reference: ' : 'Transaction id: '}</span>
            <code translate="no">{normalizeReference(row.network, reference)}</code>
          </p>
          {row.type !== null && quantity !== undefined && (
            <p>
              <span className="soft">Sent: </span>
              <span>{quantity}</span> {getCoinSymbol(row.type)}
              <span>
                {isOff &&
                  row.toSend &&
                  `, ${describeQuantityOff(typed, row.toSend.quantity)} the quantity to send`}
              </span>
              <span>
                {fee !== undefined &&
                  feeCoin !== undefined &&
                  `, network fee ${fee} ${getCoinSymbol(feeCoin)}`}
              </span>
            </p>
          )}
        </>
      )}
      onCancel={onCancel}
    >
      {approval?.by && (
        <p>
          <bdi>{approval.by.name}</bdi> approved it, <DateTime at={approval.at} />.
          {row.alone?.needsTwo === true && <span> It needs two operators, so you record the payment.</span>}
        </p>
      )}
      {row.toSend && (
        <>
          <p>
            Send <strong>{formatAssetQuantity(row.toSend.quantity, row.type ?? '')}</strong> to{' '}
            <code translate="no">{row.address}</code>: {formatUsd(row.amount)} at{' '}
            {formatUsd(Number(row.toSend.rate))}, the price when it was approved.
          </p>
          <div className="row">
            <span className="soft small">Quantity</span>
            <CopyButton text={row.toSend.quantity} what="quantity" />
            <span className="soft small">Address</span>
            <CopyButton text={row.address ?? ''} what="address to pay" />
          </div>
        </>
      )}
      {row.toSend === null && <p>There was no market price when it was approved, so two operators pay it.</p>}
      {row.paidFrom && <PaidFrom from={row.paidFrom} asset={row.type ?? 'usd'} typed={typed} />}
      <TextField
        label={row.bank ? 'The bank’s reference' : 'Transaction id on the network'}
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        hint="Pay first. Each reference can be recorded only once."
        {...form.field('reference')}
      />
      {row.type !== null && (
        <MoneyField
          label="Quantity sent"
          sign={null}
          unit={getCoinSymbol(row.type)}
          decimals={18}
          hint="As the network shows it, without the fee."
          {...form.field('quantity')}
        />
      )}
      {row.toSend && isOff && (
        <Notice tone="caution" title="Unusual quantity" live>
          {`It is ${describeQuantityOff(typed, row.toSend.quantity)} the ${formatAssetQuantity(row.toSend.quantity, row.type ?? '')} to send. Compare it with the network. It takes two operators and a reason.`}
        </Notice>
      )}
      {feeCoin !== undefined && (
        <MoneyField
          label="Network fee"
          optional
          sign={null}
          unit={getCoinSymbol(feeCoin)}
          decimals={18}
          hint="The company pays it. Without one, no fee is booked."
          {...form.field('fee')}
        />
      )}
      <RiskReasonField
        risk={row.risk}
        otherwise={isOff ? 'Why another quantity was sent' : undefined}
        {...form.field('riskReason')}
      />
    </ConfirmedForm>
  )
}
