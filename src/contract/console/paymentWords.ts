import { formatPaymentQuantity, type PaymentState } from '../money/payments.ts'
import type { OperatorPayment } from './watchWallets.ts'

/** The states of payments, on screens and in exported files. */
export const PAYMENT_LABELS: Readonly<Record<PaymentState, string>> = {
  seen: 'Seen',
  confirming: 'Confirming',
  final: 'Confirmed',
  credited: 'Credited',
  queued: 'Needs a person',
  gone: 'Gone',
  undone: 'Undone',
}

/** Whether an operator marked it as handled. */
export function isHandled({ state, steps }: Pick<OperatorPayment, 'state' | 'steps'>): boolean {
  return state === 'queued' && steps.length > 0
}

/** "0.015 BTC"; the plain number for an unknown token, whose decimals cannot be trusted. */
export function formatArrivedQuantity({
  network,
  quantity,
}: Pick<OperatorPayment, 'network' | 'quantity'>): string {
  return network === null ? `${quantity} units of an unknown token` : formatPaymentQuantity(network, quantity)
}
