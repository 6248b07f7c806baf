import type { OperatorDeposit } from '../../../contract/console/deposits.ts'
import { Notice } from '../../../design/Notice.tsx'
import { PaymentFacts } from '../../money/payments/PaymentFacts.tsx'
import { CaseLoading } from '../cases/Case.tsx'

/** The evidence on the chain for a deposit to an own address, instead of a receipt. */
export function DepositPayment({ deposit }: { deposit: OperatorDeposit }) {
  const { payment, status } = deposit
  if (payment) return <PaymentFacts payment={payment} />
  // Only the whole case says whether there is a payment.
  if (payment === undefined) return <CaseLoading what="payment" />
  return (
    <Notice title="No payment seen">
      {status === 'pending'
        ? 'The investor announced it and has their own address. The platform looks for the payment, proves it and credits it. Nobody types anything.'
        : 'The investor announced it, and no payment was attached to it.'}
    </Notice>
  )
}
