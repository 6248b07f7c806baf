import * as z from 'zod/mini'
import { getCoinSymbol } from '../../../contract/console/coinWords.ts'
import {
  approveDeposit,
  approveDepositForm,
  type OperatorDeposit,
  QUANTITY_MISSING,
} from '../../../contract/console/deposits.ts'
import { isolate } from '../../../contract/isolate.ts'
import type { Network } from '../../../contract/money/coins.ts'
import { normalizeReference } from '../../../contract/money/references.ts'
import { formatUsd } from '../../../contract/money.ts'
import { Button } from '../../../design/Button.tsx'
import { TextField } from '../../../design/Field.tsx'
import { MoneyField } from '../../../design/MoneyField.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { ConfirmedForm, useConfirmedForm } from '../cases/ConfirmedForm.tsx'
import { withFactor } from '../cases/factor.tsx'
import type { QueueDecisionProps } from '../cases/queueKind.ts'
import { RISK_REASON_REFUSED, RiskReasonField } from '../cases/RiskReasonField.tsx'
import { CreditNotes } from './CreditNotes.tsx'
import {
  buildInitialValues,
  confirmWords,
  describeAnnouncedAmount,
  describeQuantityComparison,
  formatTypedUsd,
  isUnusual,
  listSecondOperatorReasons,
} from './credit.ts'

/** Credits a deposit under its transaction id, or gives the first of two approvals. */
export function ApproveDeposit(props: QueueDecisionProps<OperatorDeposit>) {
  const { row: deposit, settings, onDecided, onOvertaken, onCancel } = props
  const form = useConfirmedForm({
    endpoint: approveDeposit,
    params: { id: deposit._id },
    schema: buildQuantityForm(deposit.network),
    defaultValues: buildInitialValues(deposit),
    send: withFactor(
      approveDeposit,
      ({ amount }) =>
        `${formatTypedUsd(amount, deposit)} to ${isolate(deposit.investor.name)}, for ${deposit.ref}`,
    ),
    onDone: onDecided,
    onOvertaken,
    beside: RISK_REASON_REFUSED,
    atOnce: ['reference', 'amount', 'quantity'],
  })
  const { txid, investor, ref, firstApproval } = deposit
  const typed = { amount: form.form.watch('amount'), quantity: form.form.watch('quantity') }
  return (
    <ConfirmedForm
      form={form}
      confirmLabel={(typed) => confirmWords(typed, deposit, settings)}
      summary={({ reference, amount, quantity }) => (
        <>
          <p>
            <strong>
              {formatTypedUsd(amount, deposit)} to <bdi>{investor.name}</bdi>
            </strong>{' '}
            (<span translate="no">{investor.email}</span>), for <span translate="no">{ref}</span>.
          </p>
          <p className="small">
            <span className="soft">Transaction id: </span>
            <code translate="no">{normalizeReference(deposit.network, reference)}</code>
          </p>
          {firstApproval && (
            <p className="soft small">
              <bdi>{firstApproval.by}</bdi> approved {formatUsd(firstApproval.amount)} under{' '}
              <code translate="no">{firstApproval.reference}</code>. If you enter the same
              <span>
                {firstApproval.hasQuantity
                  ? ' amount, transaction id and quantity'
                  : ' amount and transaction id'}
              </span>
              , it is credited at once.
            </p>
          )}
          {!firstApproval && (
            <SecondNeeded reasons={listSecondOperatorReasons({ amount, quantity }, deposit, settings)} />
          )}
        </>
      )}
      onCancel={onCancel}
    >
      <TextField
        label="Transaction id on the network"
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        hint={
          txid !== null && (
            <Button variant="quiet" size="small" onClick={() => form.form.setValue('reference', txid)}>
              Use the investor’s transaction id
            </Button>
          )
        }
        {...form.field('reference')}
      />
      <div className="pair">
        <MoneyField
          label="Amount that arrived"
          hint={describeAnnouncedAmount(typed.amount, deposit)}
          {...form.field('amount')}
        />
        <MoneyField
          label="Quantity that arrived"
          sign={null}
          unit={getCoinSymbol(deposit.type)}
          decimals={18}
          hint={describeQuantityHint(deposit, typed.quantity, typed.amount)}
          {...form.field('quantity')}
        />
      </div>
      {isUnusual(typed, deposit) && (
        <Notice tone="caution" title="Unusual quantity">
          It is worth less than the amount to credit, or more than 2% more. Compare it with the receipt and
          the network.
        </Notice>
      )}
      <RiskReasonField risk={deposit.risk} {...form.field('riskReason')} />
      <CreditNotes field={form.field} />
    </ConfirmedForm>
  )
}

/** Says why a second approval is required, before the first is sent. */
function SecondNeeded({ reasons }: { reasons: readonly string[] }) {
  if (reasons.length === 0) return null
  return (
    <Notice tone="caution" title="A second operator is needed">
      {reasons.join(' ')} Another operator must then enter the same amount, transaction id and quantity.
    </Notice>
  )
}

/** Where to find the quantity, then how the typed one compares with the announcement. */
function describeQuantityHint(deposit: OperatorDeposit, quantity: unknown, amount: unknown): string {
  if (String(quantity ?? '').trim() !== '') return describeQuantityComparison(amount, quantity, deposit)
  return deposit.firstApproval?.hasQuantity === true
    ? 'Look it up on the network yourself. It must equal the first operator’s quantity.'
    : 'Required. Look it up on the network, and compare it with the receipt.'
}

function buildQuantityForm(network: Network) {
  return approveDepositForm(network).check(
    z.refine(({ quantity }) => quantity !== undefined, {
      path: ['quantity'],
      error: QUANTITY_MISSING,
    }),
  )
}
