import { lazy, Suspense } from 'react'
import { propose } from '../../../contract/console/proposalBodies.ts'
import type { StrategyAction } from '../../../contract/console/proposals.ts'
import {
  listOperatorStrategies,
  MOST_COUNTED_IN_STRATEGY,
  type OperatorStrategy,
  suspendStrategy,
} from '../../../contract/console/strategies.ts'
import { formatNumber } from '../../../contract/numbers.ts'
import { ButtonLink } from '../../../design/Button.tsx'
import { DateTime } from '../../../design/DateTime.tsx'
import { Facts } from '../../../design/Facts.tsx'
import { Money } from '../../../design/Money.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { Skeleton } from '../../../design/Skeleton.tsx'
import { Status } from '../../../design/Status.tsx'
import { site } from '../../../site.ts'
import { describeMarket, MarketTables } from '../../investing/strategies/positions.tsx'
import { NoWrap } from '../cases/columns.tsx'
import { NeedsRole } from '../cases/OperatorScreen.tsx'
import { QueueScreen } from '../cases/QueueScreen.tsx'
import type { QueueDecision, QueueKind } from '../cases/queueKind.ts'
import { proposeIt, ReasonForm } from '../cases/ReasonForm.tsx'
import type { Queue } from '../cases/useQueue.ts'
import {
  describeAftermath,
  describeBand,
  describeDrawdown,
  describeEnding,
  describePendingOrders,
  describeProposalObstacle,
  describeResumeObstacle,
  describeStrategyStatus,
  RESUMING,
  STOPPING,
  SUSPENDING,
} from './words.ts'

const Gaps = lazy(async () => ({ default: (await import('./Gaps.tsx')).Gaps }))

export function StrategyList() {
  return <QueueScreen kind={strategies} />
}

/** /operator/strategies: the status of each strategy. One operator can suspend it at once; resuming and stopping it take two. */
const strategies: QueueKind<OperatorStrategy> = {
  endpoint: listOperatorStrategies,
  plural: 'strategies',
  singular: 'strategy',
  title: 'All strategies',
  columns: [
    { key: 'name', header: 'Strategy', narrow: 'start', cell: ({ name }) => name },
    {
      key: 'value',
      header: 'Pool',
      align: 'end',
      narrow: 'end',
      cell: ({ netValue }) => (netValue === null ? 'Not valued yet' : <Money value={netValue} />),
    },
    {
      key: 'status',
      header: 'Status',
      narrow: 'short-start',
      cell: (strategy) => (
        <NoWrap>
          <Status {...describeStrategyStatus(strategy)} />
        </NoWrap>
      ),
    },
    {
      key: 'step',
      header: 'Last step',
      narrow: 'wide-end',
      label: true,
      cell: ({ lastStep }) => <NoWrap>{lastStep ?? 'None yet'}</NoWrap>,
    },
    { key: 'waiting', header: 'Orders waiting', narrow: 'line', label: true, cell: describePendingOrders },
  ],
  table: MarketTables,
  emptyText:
    'No strategy has started yet. The cron starts one a minute, once the daily bars of its market have arrived.',
  skeletonRows: 6,
  note: <NeedsRole scope="operator:strategies.suspend" />,
  above: Simulated,
  titleOf: (strategy) => strategy?.name ?? 'Strategy',
  details: (strategy) => (
    <>
      {strategy.status !== 'active' && <Ended strategy={strategy} />}
      {strategy.lacking !== null && (
        <Notice tone="caution" title="Closed daily bars are missing">
          Since <DateTime at={strategy.lacking.since} />. <span>{strategy.lacking.finding ?? ''}</span> The
          strategy continues automatically when they arrive.
        </Notice>
      )}
      <StrategyFacts strategy={strategy} />
      <section aria-label="Live against its test">
        <h3>Live against its test</h3>
        <Suspense fallback={<Skeleton width="full" height="block" />}>
          <Gaps strategy={strategy._id} />
        </Suspense>
      </section>
    </>
  ),
  decisions: listStrategyDecisions,
  outcomeOf: () => ({
    tone: 'success',
    title: 'Suspended',
    text: 'It takes no new money, and its holdings are sold at its next open. Its investors get a mail within minutes.',
  }),
}

function Simulated({ queue: { data } }: { queue: Queue<OperatorStrategy> }) {
  const rows = data.state === 'ready' ? data.rows : []
  if (site.mode !== 'simulated' || rows.length === 0) return null
  return (
    <Notice>
      <span>{rows.every(({ market }) => !market.real) && 'Prices and money are simulated. '}</span>
      <span>{rows.some(({ market }) => market.real) && 'Money is simulated on every market. '}</span>
      Nothing is bought or sold on a real market.
    </Notice>
  )
}

function listStrategyDecisions(strategy: OperatorStrategy): readonly QueueDecision<OperatorStrategy>[] {
  const { _id, name, status } = strategy
  if (status === 'active')
    return [
      {
        key: 's',
        label: 'Suspend strategy',
        scope: 'operator:strategies.suspend',
        variant: 'danger',
        panel: (props) => (
          <ReasonForm
            {...props}
            endpoint={suspendStrategy}
            kind="suspension"
            told="the investors"
            hint="Investors read it in a mail, and everyone on the strategy’s public page."
            consequence={
              <>
                <p>
                  <strong>{name}</strong> is suspended at once. {SUSPENDING}
                </p>
                <p>Resuming it takes two operators.</p>
              </>
            }
            confirmLabel={`Suspend ${name}`}
          />
        ),
      },
    ]
  if (status === 'stopped') return []
  const buildForm = (action: StrategyAction) => ({
    endpoint: propose,
    body: { kind: 'strategy', strategy: _id, action },
    confirmLabel: `Propose to ${action} ${name}`,
  })
  const said = 'The strategy stays suspended until another operator decides.'
  return [
    proposeIt(
      {
        key: 'a',
        label: 'Propose to resume',
        scope: 'operator:proposals.write',
        closed: describeResumeObstacle(strategy),
      },
      said,
      {
        ...buildForm('resume'),
        what: `Resuming ${name}`,
        label: 'Internal note',
        hint: 'Why the cause of the suspension is over. Only operators read it.',
        consequence: (
          <p>
            <strong>{name}</strong> would be resumed. {RESUMING}
          </p>
        ),
      },
    ),
    proposeIt(
      {
        key: 'e',
        label: 'Propose to stop for good',
        scope: 'operator:proposals.write',
        closed: describeProposalObstacle(strategy),
      },
      said,
      {
        ...buildForm('stop'),
        what: `Stopping ${name}`,
        label: 'Message to the investors',
        hint: 'Investors read it in a mail, and everyone on the strategy’s public page, once another operator approves it.',
        consequence: (
          <p>
            <strong>{name}</strong> would be stopped for good. {STOPPING}
          </p>
        ),
        variant: 'danger',
      },
    ),
  ]
}

/** Why the strategy does not trade, and the pending proposal. */
function Ended({ strategy }: { strategy: OperatorStrategy }) {
  const { since, reason, note, proposed } = strategy
  return (
    <Notice
      tone="caution"
      title={describeEnding(strategy)}
      actions={
        proposed !== null && (
          <ButtonLink href={`/operator/proposals?open=${proposed._id}`} size="small">
            See the proposal
          </ButtonLink>
        )
      }
    >
      <DateTime at={since} />. <span>{reason}</span>
      {note !== null && <p>Internal note: {note}</p>}
      <p>{describeAftermath(strategy)}</p>
      {proposed !== null && (
        <p>
          <bdi>{proposed.by.name}</bdi> proposed to{' '}
          <span>{proposed.action === 'stop' ? 'stop it for good' : 'resume it'}</span>,{' '}
          <DateTime at={proposed.at} />. Another operator has to decide.
        </p>
      )}
    </Notice>
  )
}

function StrategyFacts({ strategy }: { strategy: OperatorStrategy }) {
  const { unitPrice, netValue, units, cash, investors, lastStep, lastStepAt, fees, market } = strategy
  // The rules no longer apply to a stopped strategy.
  const isStopped = strategy.status === 'stopped'
  const [drawdown, band] = isStopped ? [null, null] : [describeDrawdown(strategy), describeBand(strategy)]
  return (
    <Facts
      facts={[
        { label: 'Status', value: <Status {...describeStrategyStatus(strategy)} /> },
        strategy.status === 'active' &&
          strategy.since !== strategy.startedAt && {
            label: 'Resumed',
            value: <DateTime at={strategy.since} />,
          },
        netValue !== null && { label: 'Pool', value: <Money value={netValue} /> },
        { label: 'Cash in the pool', value: <Money value={cash} /> },
        unitPrice !== null && { label: 'Unit price', value: <Money value={unitPrice} /> },
        { label: 'Units', value: formatNumber(units, 6) },
        {
          label: 'Investors',
          value: investors < MOST_COUNTED_IN_STRATEGY ? investors : `${investors} or more`,
        },
        { label: 'Orders waiting', value: describePendingOrders(strategy) },
        drawdown !== null && { label: 'Drawdown', value: drawdown },
        band !== null && { label: 'Band of its test', value: band },
        {
          label: 'Last step',
          value:
            lastStep === null || lastStepAt === null ? (
              'None yet'
            ) : (
              <span>
                {lastStep}, done <DateTime at={lastStepAt} />
                <span>{strategy.behind && '. The next one is late'}</span>
              </span>
            ),
        },
        { label: 'Fees, last 365 days', value: <Money value={fees} /> },
        { label: 'Market', value: describeMarket(market) },
        { label: 'Started', value: <DateTime at={strategy.startedAt} /> },
        { label: 'Hash of its rules', value: <code translate="no">{strategy.hash}</code> },
      ]}
    />
  )
}
