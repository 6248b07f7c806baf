import { COIN_SYMBOLS, type Coin } from '../../../contract/money/coins.ts'
import type { PaymentQuote } from '../../../contract/money/deposits.ts'
import { formatUsd } from '../../../contract/money.ts'
import { CopyButton } from '../../../design/CopyButton.tsx'
import { DateTime } from '../../../design/DateTime.tsx'
import { getServerNow } from '../../lib/serverTime.ts'
import styles from './Deposit.module.css'

interface QuotedPaymentProps {
  coin: Coin
  /** Undefined if there was no price when the deposit was announced. */
  quote: PaymentQuote | undefined
}

/** What to pay for an announced deposit, at which price and until when. The same on the deposit page and in the request. */
export function QuotedPayment({ coin, quote }: QuotedPaymentProps) {
  const symbol = COIN_SYMBOLS[coin]
  if (quote === undefined) return <p>There was no price. The price when your payment is confirmed counts.</p>
  const isOver = Date.parse(quote.until) <= getServerNow()
  return (
    <div>
      <p className={styles.label}>Pay</p>
      <div className={styles.figure}>
        <p className={styles.quantity} translate="no">{`${quote.quantity} ${symbol}`}</p>
        <CopyButton text={quote.quantity} what="quantity to pay" />
      </div>
      <p className={styles.source}>
        <span>
          {formatUsd(Number(quote.rate))} for 1 {symbol}
        </span>
        <span>{isOver ? ', if you had paid before ' : ', if you pay before '}</span>
        <DateTime at={quote.until} />
        <span>
          {isOver
            ? '. Now the price when your payment is confirmed counts.'
            : ' and within 1% of this quantity. Otherwise the price when your payment is confirmed counts.'}
        </span>
      </p>
    </div>
  )
}
