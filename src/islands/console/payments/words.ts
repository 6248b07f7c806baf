import type { OperatorPayment } from '../../../contract/console/watchWallets.ts'
import { formatPaymentQuantity, type PaymentState } from '../../../contract/money/payments.ts'
import type { StatusProps } from '../../../design/Status.tsx'

const STATUS: Record<PaymentState, StatusProps> = {
  seen: { status: 'pending', label: 'Seen' },
  confirming: { status: 'pending', label: 'Confirming' },
  final: { status: 'approved', label: 'Confirmed' },
  credited: { status: 'completed', label: 'Credited' },
  queued: { status: 'suspended', label: 'Needs a person' },
  gone: { status: 'cancelled', label: 'Gone' },
  undone: { status: 'rejected', label: 'Undone' },
}

export function describePaymentStatus({
  state,
  steps,
}: Pick<OperatorPayment, 'state' | 'steps'>): StatusProps {
  return state === 'queued' && steps.length > 0 ? { status: 'completed', label: 'Handled' } : STATUS[state]
}

/** "0.015 BTC"; the plain number for an unknown token, whose decimals cannot be trusted. */
export function formatArrivedQuantity({
  network,
  quantity,
}: Pick<OperatorPayment, 'network' | 'quantity'>): string {
  return network === null ? `${quantity} units of an unknown token` : formatPaymentQuantity(network, quantity)
}
