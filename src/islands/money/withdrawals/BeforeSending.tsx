import { COIN_SYMBOLS, type Coin } from '../../../contract/money/coins.ts'
import type { DestinationDelay } from '../../../contract/money/destinations.ts'
import { parseUsd } from '../../../contract/money.ts'
import { DateTime } from '../../../design/DateTime.tsx'
import { Facts } from '../../../design/Facts.tsx'
import { useResource } from '../../lib/resource.ts'
import { TYPING_MS, useQuote, useSettled } from '../deposits/quote.ts'
import { formatQuantity, formatRate } from '../deposits/words.ts'
import styles from './Withdrawal.module.css'

/** How to ask about the typed destination. */
export interface DestinationCheck {
  /** Names the destination. */
  key: string
  check: () => Promise<DestinationDelay>
}

interface BeforeSendingProps {
  /** Null for a bank, or until one is chosen. */
  coin: Coin | null
  /** USD, as typed. */
  amount: string
  /** Null until the destination is complete. */
  destination: DestinationCheck | null
}

/** Once an amount is typed: how many coins it is today, and until when a new destination is delayed. */
export function BeforeSending({ coin, amount, destination }: BeforeSendingProps) {
  const until = useDelay(destination)
  if (parseUsd(amount) === null || (coin === null && until === null)) return null
  return (
    <section className={styles.before} aria-label="Before you send it">
      <Facts
        facts={[
          coin !== null && {
            label: `In ${COIN_SYMBOLS[coin]} today`,
            value: <CoinQuantity coin={coin} amount={amount} />,
          },
          until !== null && { label: 'Paid at the earliest', value: <Delay until={until} /> },
        ]}
      />
    </section>
  )
}

/** The quantity and the rate in one line; null until they are known. */
function CoinQuantity({ coin, amount }: { coin: Coin; amount: string }) {
  const quote = useQuote(coin, amount)
  if (quote.state !== 'ready') return null
  return <span>{`About ${formatQuantity(coin, quote.data)}, at ${formatRate(coin, quote.data)}`}</span>
}

/** Until when a withdrawal to the destination is delayed, once typing pauses; null if it is not, or not known. */
function useDelay(destination: DestinationCheck | null): string | null {
  const settled = useSettled(destination?.key ?? null, TYPING_MS)
  const delay = useResource(settled && `destination ${settled}`, async () => destination?.check())
  return delay.state === 'ready' ? (delay.data?.heldUntil ?? null) : null
}

function Delay({ until }: { until: string }) {
  return (
    <span>
      <DateTime at={until} />, because the destination is new.{' '}
      <a href="/dashboard/profile#security">A second factor</a> that is three days old avoids this delay.
    </span>
  )
}
