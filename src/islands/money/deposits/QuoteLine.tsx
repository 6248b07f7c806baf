import { useEffect, useState } from 'react'
import { COIN_SYMBOLS, type Coin } from '../../../contract/money/coins.ts'
import { getQuote, type Quote } from '../../../contract/money/wallets.ts'
import { Button } from '../../../design/Button.tsx'
import { CopyButton } from '../../../design/CopyButton.tsx'
import { DateTime } from '../../../design/DateTime.tsx'
import { Skeleton } from '../../../design/Skeleton.tsx'
import { site } from '../../../site.ts'
import { call } from '../../lib/api.ts'
import { ageWords } from '../../lib/priceWords.ts'
import { useResource } from '../../lib/resource.ts'
import styles from './Deposit.module.css'
import { plainQuantity, quantityWords, rateWords } from './words.ts'

const TYPING_MS = 350
const REFRESH_MS = 60_000

interface QuoteLineProps {
  coin: Coin
  /** USD, as typed. */
  amount: string
}

/** The amount in the coin, with the rate, its source and its time. */
export function QuoteLine({ coin, amount }: QuoteLineProps) {
  const settled = useSettled(amount, TYPING_MS)
  const quote = useResource(settled && `quote ${coin} ${settled}`, () =>
    call(getQuote, { query: { type: coin, amount: settled ?? '' } }),
  )
  useEvery(REFRESH_MS, quote.reload)
  return (
    <div>
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
      {quote.state === 'ready' && <Quoted coin={coin} quote={quote.data} />}
      {quote.state === 'failed' && (
        <div className={styles.source} role="status">
          <p>
            No amount in {COIN_SYMBOLS[coin]} right now: {quote.msg} You can send the request without it.
          </p>
          <Button size="small" onClick={quote.reload}>
            Try again
          </Button>
        </div>
      )}
    </div>
  )
}

function Quoted({ coin, quote }: { coin: Coin; quote: Quote }) {
  const age = ageWords('', Date.parse(quote.at), Date.now())
  return (
    <>
      <div className={styles.figure}>
        <p className={styles.quantity} role="status">
          <span className="visually-hidden">About </span>
          <span aria-hidden="true">≈ </span>
          {quantityWords(coin, quote)}
        </p>
        <CopyButton text={plainQuantity(quote)} what={`amount in ${COIN_SYMBOLS[coin]}`} />
      </div>
      <p className={styles.source}>
        {rateWords(coin, quote)}, {site.mode === 'simulated' ? 'sample' : 'market'} rate of{' '}
        <DateTime at={quote.at} /> ({age})
      </p>
    </>
  )
}

/** Runs at an interval while the page is visible, and on return to it. */
function useEvery(ms: number, run: () => void): void {
  useEffect(() => {
    const runIfVisible = () => {
      if (document.visibilityState === 'visible') run()
    }
    const timer = setInterval(runIfVisible, ms)
    document.addEventListener('visibilitychange', runIfVisible)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', runIfVisible)
    }
  }, [ms, run])
}

/** The value once it has not changed for `ms` milliseconds; null until then. */
function useSettled(value: string | null, ms: number): string | null {
  const [settled, setSettled] = useState<string | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return settled === value ? settled : null
}
