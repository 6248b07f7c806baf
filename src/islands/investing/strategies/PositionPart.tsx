import { lazy, Suspense, useMemo, useState } from 'react'
import {
  getPosition,
  type Position,
  type PositionDay,
  type PositionStop,
} from '../../../contract/investing/allocations.ts'
import type { Strategy } from '../../../contract/investing/strategies.ts'
import { Button } from '../../../design/Button.tsx'
import { DateTime } from '../../../design/DateTime.tsx'
import { type Fact, Facts } from '../../../design/Facts.tsx'
import { Modal } from '../../../design/Modal.tsx'
import { Money, OwnAmount } from '../../../design/Money.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { Skeleton } from '../../../design/Skeleton.tsx'
import { Tile, Tiles } from '../../../design/Tiles.tsx'
import { useAmountsHidden } from '../../lib/amounts.ts'
import { call } from '../../lib/api.ts'
import { Loaded } from '../../lib/Loaded.tsx'
import { useResource } from '../../lib/resource.ts'
import { Chart } from '../chart/Chart.tsx'
import type { ChartCourse } from '../chart/chartCourse.ts'
import { computeGain } from './positions.tsx'
import {
  describeDistance,
  describeHoldingPeriod,
  describeMissingReturn,
  describeOwnReturn,
  describeStrategyReturn,
  formatUnits,
} from './words.ts'

// Loaded on demand: it has the fields of every way to withdraw.
const RedeemForm = lazy(() => import('./RedeemForm.tsx').then(({ RedeemForm }) => ({ default: RedeemForm })))

const StopForm = lazy(() => import('./StopForm.tsx').then(({ StopForm }) => ({ default: StopForm })))

interface PositionPartProps {
  position: Position
  strategy: Strategy
  version: string
  onChanged: () => void
}

export function PositionPart({ position, strategy, version, onChanged }: PositionPartProps) {
  const [opened, setOpened] = useState<'redeem' | 'stop' | null>(null)
  const close = () => setOpened(null)
  const hasUnits = position.units > 0
  return (
    <Panel
      title={position.to === null ? 'What you have in it' : 'What you had in it'}
      actions={
        hasUnits && (
          <div className="row">
            <Button onClick={() => setOpened('stop')} aria-haspopup="dialog">
              {position.stop === null ? 'Set a Stop' : 'Change Stop'}
            </Button>
            <Button onClick={() => setOpened('redeem')}>Redeem</Button>
          </div>
        )
      }
    >
      {position.from !== null && <Figures position={position} />}
      <Facts
        facts={[
          hasUnits && {
            label: 'Units',
            value: (
              <span>
                <OwnAmount>
                  <span className="number">{formatUnits(position.units)}</span>
                </OwnAmount>{' '}
                at <Money value={position.unitPrice} isPublic /> each, <DateTime at={position.at} />
              </span>
            ),
          },
          (position.pendingIn > 0 || position.pendingOut > 0) && {
            label: 'Pending',
            value: (
              <span>
                <Money value={position.pendingIn} /> in, <Money value={position.pendingOut} /> out
              </span>
            ),
          },
          position.from !== null && { label: 'Held', value: describeHoldingPeriod(position) },
          position.stop !== null && {
            label: 'Stop',
            value: <StopWords stop={position.stop} unitPrice={position.unitPrice} />,
          },
          ...listReturnFacts(position),
          hasUnits &&
            position.realised !== 0 && {
              label: 'Gain or loss of what you redeemed',
              value: <Money value={position.realised} sign="always" tone="result" />,
            },
          Boolean(position.fees) && { label: 'Fees', value: <Money value={position.fees ?? 0} /> },
        ]}
      />
      {position.from !== null && (
        <>
          <p className="soft small">
            Your own return is money-weighted, the strategy’s time-weighted. The chart ends at the last close.
          </p>
          <Course position={position} version={version} />
        </>
      )}
      <Modal open={opened === 'redeem'} onClose={close} title={`Redeem from ${strategy.name}`}>
        <Suspense fallback={<Skeleton width="full" height="block" />}>
          <RedeemForm
            position={position}
            strategy={strategy}
            onFiled={() => {
              close()
              onChanged()
            }}
          />
        </Suspense>
      </Modal>
      <Modal open={opened === 'stop'} onClose={close} title={`Stop in ${strategy.name}`} size="large">
        <Suspense fallback={<Skeleton width="full" height="block" />}>
          <StopForm
            position={position}
            strategy={strategy}
            onChanged={() => {
              close()
              onChanged()
            }}
          />
        </Suspense>
      </Modal>
    </Panel>
  )
}

function StopWords({ stop, unitPrice }: { stop: PositionStop; unitPrice: number }) {
  const { percent, price, refused } = stop
  return (
    <span>
      Sells all of it when a unit is worth <Money value={price} /> or less at the daily valuation, 00:00 UTC:{' '}
      {percent}% below your average cost. <span>{describeDistance(price, unitPrice)}</span> It is sold at the
      next open, a day later, whose price may be lower than the stop.
      {refused !== null && (
        <span>
          {' '}
          On <DateTime at={refused.at} /> it could not sell. <bdi>{refused.reason}</bdi> It tries again at
          each valuation that reaches it.
        </span>
      )}
    </span>
  )
}

function Figures({ position }: { position: Position }) {
  const { value, cost, putIn, takenOut, to, at } = position
  const gain = (
    <Tile label="Gain or loss" amount={computeGain(position)} hint="in all, after costs and fees" />
  )
  return to === null ? (
    <Tiles>
      <Tile
        label="Value"
        amount={value}
        hint={
          <span>
            at the price of <DateTime at={at} />
          </span>
        }
      />
      {gain}
      <Tile label="Cost" amount={cost} hint="paid for the units you hold" />
    </Tiles>
  ) : (
    <Tiles>
      {gain}
      {putIn !== null && <Tile label="Invested" amount={putIn} />}
      {takenOut !== null && <Tile label="Redeemed" amount={takenOut} />}
    </Tiles>
  )
}

function listReturnFacts(position: Position): (Fact | false)[] {
  const { twr, moneyWeighted, from } = position
  const why = describeMissingReturn(position)
  if (from === null) return []
  if (why !== null) return [{ label: 'Return', value: why }]
  return [
    moneyWeighted !== null && { label: 'Return of your own money', value: describeOwnReturn(position) },
    twr !== null && { label: 'Return of the strategy meanwhile', value: describeStrategyReturn(position) },
  ]
}

/** The value per day, from the second day on. */
function Course({ position: { _id, name }, version }: { position: Position; version: string }) {
  const detail = useResource(`position ${_id} ${version}`, () => call(getPosition, { params: { id: _id } }))
  return (
    <Loaded resource={detail} waiting={<Skeleton width="full" height="block" />}>
      {({ history }) => history.length > 1 && <ValueChart name={name} history={history} />}
    </Loaded>
  )
}

/** The value of the position beside the investor's net deposits; the difference is the gain or loss. */
function ValueChart({ name, history }: { name: string; history: readonly PositionDay[] }) {
  const course = useMemo(
    (): ChartCourse => ({
      label: 'Worth',
      days: history.map(({ day }) => day),
      worth: history.map(({ value }) => value),
      gains: history.map(({ value, putIn }) => Math.round((value - putIn) * 100) / 100),
      beside: [{ label: 'Your own money in it', worth: history.map(({ putIn }) => putIn) }],
    }),
    [history],
  )
  if (useAmountsHidden()) return <p className="soft small">The chart is hidden with your amounts.</p>
  return <Chart title={`What your money in ${name} was worth at each day’s close`} course={course} />
}
