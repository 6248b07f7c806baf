import {
  closeOperatorPayment,
  listOperatorPayments,
  type OperatorPayment,
} from '../../../contract/console/watchWallets.ts'
import { formatNumber } from '../../../contract/numbers.ts'
import { Copied } from '../../../design/CopyButton.tsx'
import { DateTime, TableDate } from '../../../design/DateTime.tsx'
import { type Fact, Facts } from '../../../design/Facts.tsx'
import { CheckboxField, TextArea } from '../../../design/Field.tsx'
import { Modal } from '../../../design/Modal.tsx'
import { Money } from '../../../design/Money.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { Status } from '../../../design/Status.tsx'
import { Pagination } from '../../../design/Table.tsx'
import { toast } from '../../../design/toasts.ts'
import { usePages, usePreviousRows } from '../../lib/pages.ts'
import { ConfirmedForm, useConfirmedForm } from '../cases/ConfirmedForm.tsx'
import { CHAIN_LABELS } from '../cases/coinWords.ts'
import { buildActorFact, investorColumn, listInvestorFacts } from '../cases/columns.tsx'
import { Decide } from '../cases/Decide.tsx'
import { OperatorScreen } from '../cases/OperatorScreen.tsx'
import { loadPendingCounts } from '../cases/pendingCounts.ts'
import { StatusFilter } from '../cases/QueueView.tsx'
import { TablePanel, type TablePanelProps } from '../cases/TablePanel.tsx'
import { useAddress } from '../cases/useAddress.ts'
import { describePaymentStatus, FILTERS, formatArrivedQuantity, formatPaymentTitle } from './words.ts'

/** /operator/payments: payments to own addresses. Those that a person has to look at come first. */
export function Payments() {
  return (
    <OperatorScreen scope="operator:deposits.read" waiting={<TablePanel {...LIST} />}>
      {PaymentsScreen}
    </OperatorScreen>
  )
}

function PaymentsScreen() {
  const [named, show] = useAddress('state', '')
  const { value: state } = FILTERS.find(({ value }) => value === named) ?? FILTERS[0]
  const [openId, setOpen] = useAddress('open', '')
  const pages = usePages(listOperatorPayments, state === '' ? {} : { state })
  const data = usePreviousRows(pages.data)
  const opened = data.state === 'ready' ? data.rows.find(({ _id }) => _id === openId) : undefined
  return (
    <>
      <TablePanel
        {...LIST}
        lead={<StatusFilter label="Which payments to show" filters={FILTERS} value={state} onChange={show} />}
        data={data}
        emptyText={state === '' ? 'No payment needs a person.' : 'No payment is in this state.'}
        onRetry={pages.reload}
        onOpen={({ _id }) => setOpen(_id)}
        footer={<Pagination {...pages} />}
      />
      <Modal open={openId !== ''} onClose={() => setOpen('')} title={formatPaymentTitle(opened)} size="large">
        {opened ? (
          <div className="stack">
            <Notice
              tone={opened.state === 'undone' ? 'danger' : opened.state === 'queued' ? 'caution' : 'info'}
              {...(NEEDS_PERSON.includes(opened.state) && { title: 'What can be done' })}
            >
              {opened.words}
            </Notice>
            <Facts facts={listPaymentFacts(opened)} />
            <Close payment={opened} onClosed={pages.reload} />
          </div>
        ) : (
          <p>{data.state === 'loading' ? 'Loading the payment …' : NOT_LISTED}</p>
        )}
      </Modal>
    </>
  )
}

/** Marks a payment as handled, with a note on the action taken. It then no longer waits for an operator. */
function Close({ payment, onClosed }: { payment: OperatorPayment; onClosed: () => void }) {
  if (payment.state !== 'queued' || payment.closed !== null) return null
  return (
    <Decide
      choices={[
        {
          label: 'Mark as handled',
          scope: 'operator:deposits.decide',
          panel: (onCancel) => <CloseForm payment={payment} onClosed={onClosed} onCancel={onCancel} />,
        },
      ]}
    />
  )
}

interface CloseFormProps {
  payment: OperatorPayment
  onClosed: () => void
  onCancel: (() => void) | undefined
}

function CloseForm({ payment, onClosed, onCancel }: CloseFormProps) {
  const handleDone = () => {
    loadPendingCounts()
    onClosed()
  }
  const form = useConfirmedForm({
    endpoint: closeOperatorPayment,
    params: { id: payment._id },
    onDone: () => {
      toast.success('Marked as handled')
      handleDone()
    },
    onOvertaken: handleDone,
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

const NOT_LISTED = 'The payment is not in this list. Try another filter, or “Show more”.'
const NEEDS_PERSON: readonly string[] = ['queued', 'undone']

const LIST: TablePanelProps<OperatorPayment> = {
  title: 'Payments to own addresses',
  columns: [
    investorColumn,
    {
      key: 'quantity',
      header: 'Arrived',
      align: 'end',
      narrow: 'end',
      cell: (payment) => <span className="number">{formatArrivedQuantity(payment)}</span>,
    },
    { key: 'words', header: 'What happened', narrow: 'line', usually: 'long', cell: ({ words }) => words },
    { key: 'seen', header: 'Seen', narrow: 'start', cell: ({ seenAt }) => <TableDate at={seenAt} /> },
    {
      key: 'status',
      header: 'Status',
      narrow: 'end',
      cell: (payment) => <Status {...describePaymentStatus(payment)} />,
    },
  ],
  rowKey: ({ _id }) => _id,
  emptyText: 'No payment needs a person.',
}

function listPaymentFacts(payment: OperatorPayment): (Fact | false)[] {
  const { amount, block, confirmations, needed, contract, deposit } = payment
  return [
    { label: 'Status', value: <Status {...describePaymentStatus(payment)} /> },
    ...listInvestorFacts(payment.investor),
    {
      label: 'Account',
      value: <a href={`/operator/investors?open=${payment.investor._id}`}>Open the investor</a>,
    },
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
    { label: 'Seen', value: <DateTime at={payment.seenAt} /> },
    deposit !== null && {
      label: 'Deposit',
      value: (
        <a translate="no" href={`/operator/deposits?status=&open=${deposit._id}`}>
          {deposit.ref}
        </a>
      ),
    },
    payment.closed !== null && buildActorFact('Handled', payment.closed.by, payment.closed.at),
    payment.closed !== null && { label: 'What was done', value: payment.closed.note },
    payment.state === 'undone' && {
      label: 'Reversal',
      value: <a href="/operator/proposals">Open the proposals</a>,
    },
  ]
}
