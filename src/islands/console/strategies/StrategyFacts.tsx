import { MOST_COUNTED_IN_STRATEGY, type OperatorStrategy } from '../../../contract/console/strategies.ts'
import { DateTime } from '../../../design/DateTime.tsx'
import { Facts } from '../../../design/Facts.tsx'
import { Money } from '../../../design/Money.tsx'
import { Status } from '../../../design/Status.tsx'
import { bandWords, drawdownWords, standingOf, waitingWords } from './words.ts'

/** All that is known of a strategy and its pool. */
export function StrategyFacts({ strategy }: { strategy: OperatorStrategy }) {
  const { unitPrice, netValue, units, cash, investors, lastStep, lastStepAt, fees, market, simulated } =
    strategy
  // What was stopped follows no rule any more.
  const isOver = strategy.status === 'stopped'
  const [drawdown, band] = isOver ? [null, null] : [drawdownWords(strategy), bandWords(strategy)]
  return (
    <Facts
      facts={[
        { label: 'Status', value: <Status {...standingOf(strategy)} /> },
        strategy.status === 'active' &&
          strategy.since !== strategy.startedAt && {
            label: 'Resumed',
            value: <DateTime at={strategy.since} />,
          },
        netValue !== null && { label: 'Pool', value: <Money value={netValue} /> },
        { label: 'Of it in cash now', value: <Money value={cash} /> },
        unitPrice !== null && { label: 'A unit', value: <Money value={unitPrice} /> },
        { label: 'Units', value: units.toLocaleString('en-US', { maximumFractionDigits: 6 }) },
        {
          label: 'Investors',
          value: investors < MOST_COUNTED_IN_STRATEGY ? investors : `${investors} or more`,
        },
        { label: 'Orders waiting', value: waitingWords(strategy) },
        drawdown !== null && { label: 'Drawdown', value: drawdown },
        band !== null && { label: 'Band of its test', value: band },
        {
          label: 'Last step',
          value:
            lastStep === null || lastStepAt === null ? (
              'None yet'
            ) : (
              <>
                Of {lastStep}, done <DateTime at={lastStepAt} />
                {strategy.behind && '. The next one is late'}
              </>
            ),
        },
        { label: 'Fees of 365 days', value: <Money value={fees} /> },
        { label: 'Market', value: simulated ? 'Simulated prices' : market },
        { label: 'Started', value: <DateTime at={strategy.startedAt} /> },
        { label: 'Rules, frozen', value: <code>{strategy.hash}</code> },
      ]}
    />
  )
}
