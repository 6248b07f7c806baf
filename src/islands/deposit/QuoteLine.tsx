import { COIN_SYMBOLS, type Coin } from '../../contract/coins.ts'
import { getQuote } from '../../contract/wallets.ts'
import { Button } from '../../design/Button.tsx'
import { DateTime } from '../../design/DateTime.tsx'
import { Skeleton } from '../../design/Skeleton.tsx'
import { site } from '../../site.ts'
import { call } from '../lib/api.ts'
import { useResource } from '../lib/resource.ts'
import styles from './QuoteLine.module.css'
import { quantityWords, rateWords } from './quoteWords.ts'
import { useSettled } from './settled.ts'

const TYPING_MS = 350

/** How much of the coin the amount is now, where that rate comes from and of when it is. */
export function QuoteLine({ coin, amount }: { coin: Coin; amount: string }) {
  const settled = useSettled(amount, TYPING_MS)
  const quote = useResource(settled && `quote ${coin} ${settled}`, () =>
    call(getQuote, { query: { type: coin, amount: settled ?? '' } }),
  )
  return (
    <div className={styles.quote} role="status">
      <p className={styles.label}>In {COIN_SYMBOLS[coin]}</p>
      {quote.state === 'loading' && (
        <>
          <p className={styles.quantity}>
            <Skeleton width="long" height="figure" />
          </p>
          <p className={styles.source}>
            <Skeleton width="long" />
          </p>
        </>
      )}
      {quote.state === 'ready' && (
        <>
          <p className={styles.quantity}>
            <span className="visually-hidden">About </span>
            <span aria-hidden="true">≈ </span>
            {quantityWords(coin, quote.data)}
          </p>
          <p className={styles.source}>
            {rateWords(coin, quote.data)}, {site.mode === 'simulated' ? 'a sample rate' : 'the market’s rate'}{' '}
            of <DateTime at={quote.data.at} />. What is credited is the amount in USD that an operator sees
            arrive.
          </p>
        </>
      )}
      {quote.state === 'failed' && (
        <p className={styles.source}>
          How much that is in {COIN_SYMBOLS[coin]} can’t be said right now: {quote.msg}{' '}
          <Button size="small" onClick={quote.reload}>
            Try again
          </Button>
        </p>
      )}
    </div>
  )
}
