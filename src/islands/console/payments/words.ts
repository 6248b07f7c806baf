import { isHandled, PAYMENT_LABELS } from '../../../contract/console/paymentWords.ts'
import type { OperatorPayment } from '../../../contract/console/watchWallets.ts'
import type { PaymentState } from '../../../contract/money/payments.ts'
import type { StatusProps } from '../../../design/Status.tsx'

const STATUS: Record<PaymentState, StatusProps['status']> = {
  seen: 'pending',
  confirming: 'pending',
  final: 'approved',
  credited: 'completed',
  queued: 'suspended',
  gone: 'cancelled',
  undone: 'rejected',
}

export function describePaymentStatus(payment: Pick<OperatorPayment, 'state' | 'steps'>): StatusProps {
  const { state } = payment
  return isHandled(payment)
    ? { status: 'completed', label: 'Handled' }
    : { status: STATUS[state], label: PAYMENT_LABELS[state] }
}
