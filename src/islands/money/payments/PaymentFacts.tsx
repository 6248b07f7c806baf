import {
  CHAIN_NETWORKS,
  formatPaymentQuantity,
  type PAYMENT_RULES,
  type ProvedPayment,
  QUOTE_MINUTES,
} from '../../../contract/money/payments.ts'
import { formatNumber } from '../../../contract/numbers.ts'
import { Copied } from '../../../design/CopyButton.tsx'
import { Facts } from '../../../design/Facts.tsx'
import { OwnAmount } from '../../../design/Money.tsx'
import { CheckProof } from './CheckProof.tsx'
import { PaymentProgress } from './PaymentProgress.tsx'
import styles from './Payments.module.css'
import { formatCoinPrice } from './words.ts'

const RULE_WORDS: Readonly<Record<(typeof PAYMENT_RULES)[number], string>> = {
  quote: `The price of the request, because it was paid within ${QUOTE_MINUTES} minutes and within 1 %`,
  price: 'The price at the moment when it became final',
}

/** A payment that its network proves: what arrived, how far it is, how it was valued, and its proof. For investors and operators. */
export function PaymentFacts({ payment }: { payment: ProvedPayment }) {
  const { network, quantity, block, rate, rule, reference, proof, contract } = payment
  return (
    <section className={styles.part} aria-labelledby="payment">
      <h3 id="payment">Payment</h3>
      <PaymentProgress payment={payment} />
      <Facts
        facts={[
          { label: 'Arrived', value: <OwnAmount>{formatPaymentQuantity(network, quantity)}</OwnAmount> },
          rate === null ? null : { label: 'Price', value: `${formatCoinPrice(rate)} for one coin` },
          rule === null ? null : { label: 'Why this price', value: RULE_WORDS[rule] },
          {
            label: CHAIN_NETWORKS[network].chain === 'bitcoin' ? 'Transaction and output' : 'Transaction',
            value: <Copied text={reference} what="transaction ID" />,
          },
          contract === null
            ? null
            : { label: 'Token contract', value: <Copied text={contract} what="token contract" /> },
          block && { label: 'Block', value: `${formatNumber(block.height)} (${block.hash})` },
        ]}
      />
      {proof !== null && <CheckProof payment={payment} />}
    </section>
  )
}
