import { lazy, Suspense, useEffect, useState } from 'react'
import type { Strategy } from '../../../contract/investing/strategies.ts'
import { Money } from '../../../design/Money.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { site } from '../../../site.ts'
import { getServerNow } from '../../lib/serverTime.ts'
import { describeWait, formatPricingTime } from './words.ts'

// Loaded for pending orders only.
const Playback = lazy(async () => ({ default: (await import('../playback/Playback.tsx')).Playback }))

interface WaitingOrdersProps {
  strategy: Strategy
  /** USD that waits to be invested. */
  amount: number
  /** The published page of its test. */
  testPath: string
}

/** How long pending orders wait. In practice, the test is played with the same amount meanwhile. */
export function WaitingOrders({ strategy, amount, testPath }: WaitingOrdersProps) {
  return (
    <Panel title="Waiting for the next price">
      <p>
        <Money value={amount} /> is invested at the price of {formatPricingTime(strategy.nextValuation)}, in{' '}
        <Countdown at={strategy.nextValuation} />. You can cancel until then.
      </p>
      {site.mode === 'simulated' && (
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
    </Panel>
  )
}

/** The time that is left, renewed twice a minute. */
function Countdown({ at }: { at: string }) {
  const [nowMs, setNow] = useState(getServerNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(getServerNow()), 30_000)
    return () => clearInterval(timer)
  }, [])
  return <strong>{describeWait(at, nowMs)}</strong>
}
