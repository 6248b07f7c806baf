import { COIN_SYMBOLS, type Coin } from '../../../contract/money/coins.ts'
import type { Limits } from '../../../contract/money/limits.ts'
import { parseUsd } from '../../../contract/money.ts'
import { DateTime } from '../../../design/DateTime.tsx'
import { Facts } from '../../../design/Facts.tsx'
import { useQuote } from '../deposits/quote.ts'
import { quantityWords, rateWords } from '../deposits/words.ts'
import styles from './Withdrawal.module.css'

interface BeforeSendingProps {
  limits: Limits
  /** Null for a bank, or until one is chosen. */
  coin: Coin | null
  /** USD, as typed. */
  amount: string
}

/** Once an amount is typed: how many coins it is today, and how long a new destination waits. */
export function BeforeSending({ limits, coin, amount }: BeforeSendingProps) {
  if (parseUsd(amount) === null) return null
  return (
    <section className={styles.before} aria-label="Before you send it">
      <Facts
        facts={[
          coin !== null && {
            label: `In ${COIN_SYMBOLS[coin]} today`,
            value: <CoinQuantity coin={coin} amount={amount} />,
          },
          { label: 'New destination', value: <Delay hours={limits.newDestinationHours} /> },
        ]}
      />
    </section>
  )
}

/** The quantity and the rate in one line; nothing until they are known. */
function CoinQuantity({ coin, amount }: { coin: Coin; amount: string }) {
  const quote = useQuote(coin, amount)
  if (quote.state !== 'ready') return null
  return (
    <>
      About {quantityWords(coin, quote.data)}, at {rateWords(coin, quote.data)}
    </>
  )
}

function Delay({ hours }: { hours: number }) {
  if (hours === 0) return 'No wait, because your second factor confirms it.'
  return (
    <>
      Paid <DateTime at={new Date(Date.now() + hours * HOUR_MS).toISOString()} /> at the earliest.{' '}
      <a href="/dashboard/profile#security">A second factor</a> that is three days old avoids the wait.
    </>
  )
}

const HOUR_MS = 3_600_000
