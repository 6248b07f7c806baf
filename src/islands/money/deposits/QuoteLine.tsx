import { COIN_SYMBOLS, type Coin } from '../../../contract/money/coins.ts'
import type { Quote } from '../../../contract/money/wallets.ts'
import { Button } from '../../../design/Button.tsx'
import { CopyButton } from '../../../design/CopyButton.tsx'
import { DateTime } from '../../../design/DateTime.tsx'
import { Skeleton } from '../../../design/Skeleton.tsx'
import { site } from '../../../site.ts'
import { describePriceAge } from '../../lib/priceWords.ts'
import { getServerNow } from '../../lib/serverTime.ts'
import styles from './Deposit.module.css'
import { useQuote } from './quote.ts'
import { formatPlainQuantity, formatQuantity, formatRate } from './words.ts'

interface QuoteLineProps {
  coin: Coin
  /** USD, as typed. */
  amount: string
  /** The request will name the quantity to pay. No other one is shown before, so that nobody pays a wrong one. */
  isPaidLater: boolean
}

/** The amount in the coin, with the rate, its source and its time. */
export function QuoteLine({ coin, amount, isPaidLater }: QuoteLineProps) {
  const quote = useQuote(coin, amount)
  return (
    <div>
      <p className={styles.label}>{isPaidLater ? 'Price' : `In ${COIN_SYMBOLS[coin]}`}</p>
      {quote.state === 'loading' && (
        <>
          {!isPaidLater && (
            <p className={styles.quantity}>
              <Skeleton width="long" height="figure" />
            </p>
          )}
          <p className={styles.source}>
            <Skeleton width="long" />
          </p>
        </>
      )}
      {quote.state === 'ready' && <Quoted coin={coin} quote={quote.data} isPaidLater={isPaidLater} />}
      {quote.state === 'failed' && (
        <div className={styles.source} role="status">
          <p>
            {`No amount in ${COIN_SYMBOLS[coin]} right now: ${quote.msg} You can send the request without it.`}
          </p>
          <Button size="small" onClick={quote.reload}>
            Try again
          </Button>
        </div>
      )}
    </div>
  )
}

function Quoted({ coin, quote, isPaidLater }: { coin: Coin; quote: Quote; isPaidLater: boolean }) {
  const age = describePriceAge('', Date.parse(quote.at), getServerNow())
  return (
    <>
      {!isPaidLater && (
        <div className={styles.figure}>
          <p className={styles.quantity} role="status">
            <span className="visually-hidden">About </span>
            <span aria-hidden="true">≈ </span>
            <span>{formatQuantity(coin, quote)}</span>
          </p>
          <CopyButton text={formatPlainQuantity(quote)} what={`amount in ${COIN_SYMBOLS[coin]}`} />
        </div>
      )}
      <p className={styles.source}>
        <span>{formatRate(coin, quote)}</span>, <span>{site.mode === 'simulated' ? 'sample' : 'market'}</span>{' '}
        rate of <DateTime at={quote.at} /> <span>{`(${age})`}</span>
      </p>
    </>
  )
}
