import type { Payment } from '../../../contract/money/payments.ts'
import { Progress } from '../../../design/Progress.tsx'

/** How far a payment is: a bar while its network confirms it, and a sentence. */
export function PaymentProgress({ payment }: { payment: Payment }) {
  const { state, confirmations, needed, words } = payment
  return state === 'seen' || state === 'confirming' ? (
    <Progress progress={Math.min(1, confirmations / needed)} what="Confirmations" words={words} />
  ) : (
    <p>{words}</p>
  )
}
