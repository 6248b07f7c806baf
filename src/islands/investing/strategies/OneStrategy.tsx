import { useState } from 'react'
import { formatDay } from '../../../contract/dates.ts'
import type { Position } from '../../../contract/investing/allocations.ts'
import type { Strategy } from '../../../contract/investing/strategies.ts'
import { Button, ButtonLink } from '../../../design/Button.tsx'
import { DateTime } from '../../../design/DateTime.tsx'
import { Facts } from '../../../design/Facts.tsx'
import { Modal } from '../../../design/Modal.tsx'
import { Money } from '../../../design/Money.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { PageHeading } from '../../../design/PageHeading.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { FillList } from './FillList.tsx'
import { InvestForm } from './InvestForm.tsx'
import { OrderList } from './OrderList.tsx'
import { PositionPart } from './PositionPart.tsx'
import { describeMarket } from './positions.tsx'
import styles from './Strategies.module.css'
import { buildTestPaths } from './testPaths.ts'
import { Verdict } from './Verdict.tsx'
import { WaitingOrders } from './WaitingOrders.tsx'
import {
  describeBasis,
  describeCosts,
  describeLiveReturn,
  describeWorstYear,
  formatSignedPercent,
  formatWholeDollars,
  formatWorstFall,
  START_PRICE,
} from './words.ts'

interface OneStrategyProps {
  strategy: Strategy
  position: Position | null
  onBack: () => void
  /** An order was placed or cancelled: reload positions and orders. */
  onChanged: () => void
}

export function OneStrategy({ strategy, position, onBack, onChanged }: OneStrategyProps) {
  // Changes with the position, so that the orders reload.
  const version = `${position?.pendingIn ?? 0} ${position?.pendingOut ?? 0} ${position?.units ?? 0}`
  // The order that was just placed, until its dialog is closed.
  const [placed, setPlaced] = useState<{ ref: string; usd: number } | null>(null)
  const { page: testPage, files: testPath } = buildTestPaths(strategy)
  return (
    <div className={styles.screen}>
      <Button className={styles.back} onClick={onBack}>
        All strategies
      </Button>
      <PageHeading
        title={strategy.name}
        lead={
          <>
            <p>{strategy.does}</p>
            <LiveMinusTest strategy={strategy} testPage={testPage} />
          </>
        }
        actions={<a href={testPage}>All details</a>}
      />
      {strategy.status !== 'active' && (
        <Notice tone="caution" title={strategy.status === 'suspended' ? 'Suspended' : 'Stopped for good'}>
          <span>{strategy.reason ? `${strategy.reason} ` : ''}</span>It takes no new money. You can redeem
          what you have in it.
        </Notice>
      )}
      {position !== null && (
        <PositionPart position={position} strategy={strategy} version={version} onChanged={onChanged} />
      )}
      {placed === null && position !== null && position.pendingIn > 0 && strategy.status === 'active' && (
        <Panel title="Waiting for the next price">
          <WaitingOrders strategy={strategy} amount={position.pendingIn} testPath={testPath} />
        </Panel>
      )}
      <Modal
        open={placed !== null}
        onClose={() => setPlaced(null)}
        title="Your order is placed"
        actions={<ButtonLink href="/dashboard/overview">Overview</ButtonLink>}
      >
        {placed !== null && (
          <>
            <p>
              Order <code translate="no">{placed.ref}</code>, {strategy.name}
            </p>
            <WaitingOrders strategy={strategy} amount={placed.usd} testPath={testPath} />
          </>
        )}
      </Modal>
      {strategy.status === 'active' && (
        <InvestForm
          strategy={strategy}
          hasUnits={position !== null && position.units > 0}
          version={version}
          testPath={testPath}
          onOutdated={onChanged}
          onFiled={({ ref }, usd) => {
            setPlaced({ ref, usd })
            onChanged()
          }}
        />
      )}
      <Panel title="Test and record">
        <StrategyFacts strategy={strategy} />
      </Panel>
      <OrderList key={version} strategy={strategy.slug} onChanged={onChanged} />
      <FillList strategy={strategy} isFollowed={position !== null && position.units > 0} />
    </div>
  )
}

/** The return since the start beside that of the test on the same days, with the way to their difference and to the record. */
function LiveMinusTest({ strategy: { live }, testPage }: { strategy: Strategy; testPage: string }) {
  if (live.from === null || live.totalReturn === null) return null
  return (
    <p>
      <span>
        Since it started on {formatDay(live.from)}: <Return share={live.totalReturn} />.{' '}
      </span>
      {live.testReturn !== null && (
        <span>
          The test says <Return share={live.testReturn} />. <a href={`${testPage}#gaps`}>Why</a> ·{' '}
        </span>
      )}
      <a href={`${testPage}#record`}>Check the record</a>
    </p>
  )
}

function Return({ share }: { share: number }) {
  const text = formatSignedPercent(share)
  return <strong className={text.startsWith('−') ? 'loss' : undefined}>{text}</strong>
}

function StrategyFacts({ strategy }: { strategy: Strategy }) {
  const { live, risk, backtest, status } = strategy
  const isOver = status === 'stopped'
  // The form to invest states these three, beside the decision.
  const isOpen = status === 'active'
  return (
    <Facts
      facts={[
        !isOpen && backtest && { label: 'Our checks of the test', value: <Verdict strategy={strategy} /> },
        !isOpen && backtest && { label: 'Worst year of the test', value: describeWorstYear(strategy, 1000) },
        backtest && {
          label: 'The test as a whole',
          value: `$1,000 became ${formatWholeDollars(backtest.became)}, holding made ${formatWholeDollars(backtest.heldBecame)}. Worst fall ${formatWorstFall(strategy)}, ${formatDay(backtest.from)} to ${formatDay(backtest.to)}. ${describeBasis(backtest.market)}`,
        },
        {
          label: 'Since it started',
          value:
            live.maximumDrawdown === null || live.to === null
              ? 'No day closed yet'
              : `Return ${describeLiveReturn(strategy)}, worst fall ${formatSignedPercent(-live.maximumDrawdown)}, to ${formatDay(live.to)}. ${describeBasis(strategy.market)}`,
        },
        {
          label: 'Unit price now',
          value: (
            <span>
              <Money value={strategy.unitPrice} isPublic /> on <DateTime at={strategy.at} />:{' '}
              {formatSignedPercent(strategy.unitPrice / START_PRICE - 1)} since it started
            </span>
          ),
        },
        !isOver &&
          live.band !== null &&
          live.to !== null &&
          live.totalReturn !== null && {
            label: 'Expected',
            value: (
              <span>
                <Money value={live.band.lower} isPublic /> to <Money value={live.band.upper} isPublic /> a
                unit on {formatDay(live.to)}, 98 of 100 times. It closed at{' '}
                <Money value={START_PRICE * (1 + live.totalReturn)} isPublic />. Below the range it is
                suspended.
              </span>
            ),
          },
        !isOver &&
          risk.maximumDrawdown !== undefined && {
            label: 'Stops at',
            value: `A fall of ${Math.round(risk.maximumDrawdown * 100)}% from a peak: everything is sold`,
          },
        {
          label: 'Trades',
          value: `${strategy.assets.map(({ name }) => name).join(', ')}. ${describeMarket(strategy.market)}`,
        },
        !isOpen && { label: 'Costs of trading', value: describeCosts(strategy) },
      ]}
    />
  )
}
