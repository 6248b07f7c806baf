import { CHAIN_LABELS } from '../../../contract/console/coinWords.ts'
import { formatArrivedQuantity } from '../../../contract/console/paymentWords.ts'
import {
  closeOperatorPayment,
  listOperatorPayments,
  type OperatorPayment,
} from '../../../contract/console/watchWallets.ts'
import { isolate } from '../../../contract/isolate.ts'
import { formatNumber } from '../../../contract/numbers.ts'
import { Copied } from '../../../design/CopyButton.tsx'
import { DateTime } from '../../../design/DateTime.tsx'
import { type Fact, Facts } from '../../../design/Facts.tsx'
import { CheckboxField, TextArea } from '../../../design/Field.tsx'
import { Money } from '../../../design/Money.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { Status } from '../../../design/Status.tsx'
import { ConfirmedForm, useConfirmedForm } from '../cases/ConfirmedForm.tsx'
import { buildStatusColumn, investorColumn, listInvestorFacts, whenColumn } from '../cases/columns.tsx'
import { QueueScreen } from '../cases/QueueScreen.tsx'
import type { QueueDecisionProps, QueueKind } from '../cases/queueKind.ts'
import { describePaymentStatus } from './words.ts'

export function PaymentQueue() {
  return <QueueScreen kind={payments} />
}

const canClose = ({ state, steps }: OperatorPayment) => state === 'queued' && steps.length === 0
const needsPerson = (payment: OperatorPayment) => payment.state === 'undone' || canClose(payment)

/** /operator/payments: payments to own addresses. Those that a person has to look at come first. */
const payments: QueueKind<OperatorPayment> = {
  endpoint: listOperatorPayments,
  plural: 'payments',
  singular: 'payment',
  searchedBy: 'Name, e-mail, transaction id or address',
  filters: [
    { value: '', label: 'Need a person', query: {}, counted: ['payment'] },
    ...(
      [
        ['queued', 'Queued'],
        ['unknown', 'Unknown tokens'],
        ['confirming', 'Confirming'],
        ['final', 'Confirmed'],
        ['credited', 'Credited'],
        ['gone', 'Gone'],
      ] as const
    ).map(([value, label]) => ({ value, label, query: { state: value } })),
  ],
  columns: [
    { ...investorColumn, narrow: 'line' },
    {
      key: 'quantity',
      header: 'Arrived',
      align: 'end',
      narrow: 'end',
      cell: (payment) => <span className="number">{formatArrivedQuantity(payment)}</span>,
    },
    { key: 'words', header: 'What happened', narrow: 'line', usually: 'long', cell: ({ words }) => words },
    { ...whenColumn, header: 'Seen' },
    buildStatusColumn((payment) => <Status {...describePaymentStatus(payment)} />),
  ],
  isPending: needsPerson,
  titleOf: (payment) => (payment ? `Payment on ${CHAIN_LABELS[payment.chain]}` : 'Payment'),
  nameOf: (payment) => `${formatArrivedQuantity(payment)}, ${isolate(payment.investor.name)}`,
  details: (payment) => (
    <>
      <Notice
        tone={payment.state === 'undone' ? 'danger' : payment.state === 'queued' ? 'caution' : 'info'}
        {...(needsPerson(payment) && { title: 'What can be done' })}
      >
        {payment.words}
      </Notice>
      <Facts facts={listPaymentFacts(payment)} />
    </>
  ),
  investorOf: ({ investor }) => investor._id,
  decisions: (payment) =>
    canClose(payment)
      ? [
          {
            label: 'Mark as handled',
            key: 'a',
            scope: 'operator:deposits.decide',
            panel: (props) => <CloseForm {...props} />,
          },
        ]
      : [],
  outcomeOf: () => ({
    tone: 'success',
    title: 'Marked as handled',
    text: 'It no longer waits for a person.',
  }),
}

/** Marks a payment as handled, with a note on the action taken. */
function CloseForm({ row: payment, onDecided, onOvertaken, onCancel }: QueueDecisionProps<OperatorPayment>) {
  const form = useConfirmedForm({
    endpoint: closeOperatorPayment,
    params: { id: payment._id },
    onDone: onDecided,
    onOvertaken,
    atOnce: ['note', 'keep'],
  })
  return (
    <ConfirmedForm
      form={form}
      confirmLabel="Save"
      summary={({ keep }) => (
        <p>
          <span>It no longer waits for a person. Nothing is credited.</span>
          {keep === true && <span> {payment.custody} is added to custody.</span>}
        </p>
      )}
      onCancel={onCancel}
    >
      <TextArea
        label="What was done"
        hint="Other operators can read it."
        rows={2}
        maxLength={500}
        {...form.field('note')}
      />
      {payment.custody !== null && (
        <CheckboxField
          label={`It stays in our wallet: add ${payment.custody} to custody`}
          hint="Also if you grant its amount by a proposal. Leave it off if it is returned."
          {...form.field('keep')}
        />
      )}
    </ConfirmedForm>
  )
}

function listPaymentFacts(payment: OperatorPayment): (Fact | false)[] {
  const { amount, block, confirmations, needed, contract, deposit } = payment
  return [
    { label: 'Status', value: <Status {...describePaymentStatus(payment)} /> },
    ...listInvestorFacts(payment.investor),
    { label: 'Arrived', value: formatArrivedQuantity(payment) },
    amount !== null && { label: 'Worth', value: <Money value={amount} /> },
    { label: 'Chain', value: CHAIN_LABELS[payment.chain] },
    contract !== null && {
      label: 'Contract of the token',
      value: <Copied text={contract} what="contract" />,
    },
    { label: 'Transaction', value: <Copied text={payment.reference} what="transaction id" /> },
    { label: 'Address', value: <Copied text={payment.address} what="address" /> },
    block !== null && {
      label: 'Block',
      value: `${formatNumber(block.height)}${block.hash === null ? '' : ` (${block.hash})`}`,
    },
    confirmations !== null &&
      needed !== null && { label: 'Confirmations', value: `${confirmations} of ${needed}` },
    { label: 'Seen', value: <DateTime at={payment.createdAt} /> },
    deposit !== null && {
      label: 'Deposit',
      value: (
        <a translate="no" href={`/operator/deposits?status=&open=${deposit._id}`}>
          {deposit.ref}
        </a>
      ),
    },
    payment.state === 'undone' && {
      label: 'Reversal',
      value: <a href="/operator/proposals">Open the proposals</a>,
    },
  ]
}
