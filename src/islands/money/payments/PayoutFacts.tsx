import { COIN_SYMBOLS, COINS } from '../../../contract/money/coins.ts'
import type { TransactionDetail } from '../../../contract/money/transactions.ts'
import { Copied } from '../../../design/CopyButton.tsx'
import { Facts } from '../../../design/Facts.tsx'
import { OwnAmount } from '../../../design/Money.tsx'
import { Progress } from '../../../design/Progress.tsx'
import styles from './Payments.module.css'
import { formatCoinPrice } from './words.ts'

interface PayoutFactsProps {
  /** As the API names it. */
  coin: string | undefined
  payout: NonNullable<TransactionDetail['payout']>
}

/** The transaction that pays a withdrawal: its quantity and its progress. */
export function PayoutFacts({ coin, payout }: PayoutFactsProps) {
  const { quantity, rate, txid, confirmations, needed } = payout
  const symbol = COIN_SYMBOLS[COINS.find((candidate) => candidate === coin) ?? 'bitcoin']
  return (
    <section className={styles.part} aria-labelledby="payout">
      <h3 id="payout">Payout</h3>
      {txid !== null && (
        <Progress
          progress={Math.min(1, confirmations / needed)}
          what="Confirmations"
          words={describeProgress(payout)}
        />
      )}
      <Facts
        facts={[
          { label: 'Sent', value: <OwnAmount>{`${quantity} ${symbol}`}</OwnAmount> },
          { label: 'Price', value: `${formatCoinPrice(rate)} for 1 ${symbol}` },
          txid !== null && {
            label: 'Transaction ID',
            value: <Copied text={txid} what="transaction ID of the payout" />,
          },
        ]}
      />
    </section>
  )
}

function describeProgress({ confirmations, needed }: PayoutFactsProps['payout']): string {
  if (confirmations === 0) return 'Sent. It waits for its first block.'
  return confirmations < needed
    ? `Confirming: ${confirmations} of ${needed} blocks.`
    : `Confirmed by ${needed} blocks.`
}
