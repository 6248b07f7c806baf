import { lazy, Suspense } from 'react'
import type { Strategy } from '../../../contract/investing/strategies.ts'
import { Money } from '../../../design/Money.tsx'
import { site } from '../../../site.ts'
import { useAmountsHidden } from '../../lib/amounts.ts'
import { Countdown } from './Countdown.tsx'
import { formatPricingTime } from './words.ts'

// Loaded for pending orders only.
const Playback = lazy(async () => ({ default: (await import('../playback/Playback.tsx')).Playback }))

interface WaitingOrdersProps {
  strategy: Strategy
  /** USD that waits to be invested. */
  amount: number
  /** The published page of its test. */
  testPath: string
}

/** When pending orders are priced, and how long they wait. In practice, the test is played with the same amount meanwhile. */
export function WaitingOrders({ strategy, amount, testPath }: WaitingOrdersProps) {
  const areAmountsHidden = useAmountsHidden()
  return (
    <>
      <p>
        <Money value={amount} /> is invested at the price of {formatPricingTime(strategy.nextValuation)}, in{' '}
        <strong>
          <Countdown at={strategy.nextValuation} />
        </strong>
        . You can cancel until then.
      </p>
      {site.mode === 'simulated' && !areAmountsHidden && (
        <>
          <p>
            Meanwhile, watch the same amount in a test: past days, after costs. It is not your order and says
            little about the future.
          </p>
          <Suspense>
            <Playback testPath={testPath} amount={amount} />
          </Suspense>
        </>
      )}
    </>
  )
}
