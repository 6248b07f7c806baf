import { useState } from 'react'
import { getPosition, type Position, type PositionDay } from '../../contract/allocations.ts'
import type { Strategy } from '../../contract/strategies.ts'
import { Button } from '../../design/Button.tsx'
import { DateTime } from '../../design/DateTime.tsx'
import { Facts } from '../../design/Facts.tsx'
import { Modal } from '../../design/Modal.tsx'
import { Money } from '../../design/Money.tsx'
import { Panel } from '../../design/Panel.tsx'
import { Tile, Tiles } from '../../design/Tiles.tsx'
import { call } from '../lib/api.ts'
import { OnDemand } from '../lib/OnDemand.tsx'
import { useResource } from '../lib/resource.ts'
import { signedPercent, unitsText } from './words.ts'

interface PositionPartProps {
  position: Position
  strategy: Strategy
  /** Changes with what the investor has. */
  version: string
  onChanged: () => void
}

/** What the investor has in a strategy, how it did, and the way out. */
export function PositionPart({ position, strategy, version, onChanged }: PositionPartProps) {
  const [isRedeeming, setRedeeming] = useState(false)
  const detail = useResource(`position ${position._id} ${version}`, () =>
    call(getPosition, { params: { id: position._id } }),
  )
  const history = detail.state === 'ready' ? detail.data.history : []
  return (
    <Panel
      title="What you have in it"
      actions={position.units > 0 && <Button onClick={() => setRedeeming(true)}>Redeem</Button>}
    >
      <Tiles>
        <Tile label="Value" amount={position.value} hint="units at the latest price" />
        <Tile label="Gain or loss" amount={position.profit} hint="value less cost" />
        <Tile label="Cost" amount={position.cost} hint="paid for the units you hold" />
      </Tiles>
      <Facts
        facts={[
          {
            label: 'Units',
            value: (
              <>
                <span className="number">{unitsText(position.units)}</span> at{' '}
                <Money value={position.unitPrice} /> each, <DateTime at={position.at} />
              </>
            ),
          },
          (position.pendingIn > 0 || position.pendingOut > 0) && {
            label: 'Pending',
            value: (
              <>
                <Money value={position.pendingIn} /> in, <Money value={position.pendingOut} /> out
              </>
            ),
          },
          { label: 'Return of the strategy while you were in it', value: returnWords(position.twr) },
          { label: 'Return of your own money', value: ownWords(position) },
          position.realised !== 0 && {
            label: 'Gain or loss of what you redeemed',
            value: <Money value={position.realised} sign="always" tone="result" />,
          },
          Boolean(position.fees) && { label: 'Fees', value: <Money value={position.fees ?? 0} /> },
        ]}
      />
      {history.length > 1 && <Course name={strategy.name} history={history} />}
      <Modal open={isRedeeming} onClose={() => setRedeeming(false)} title={`Redeem from ${strategy.name}`}>
        <OnDemand name="redeem" load={() => import('./RedeemForm.tsx')}>
          {({ RedeemForm }) => (
            <RedeemForm
              position={position}
              strategy={strategy}
              onFiled={() => {
                setRedeeming(false)
                onChanged()
              }}
            />
          )}
        </OnDemand>
      </Modal>
    </Panel>
  )
}

function returnWords(twr: number | null): string {
  return twr === null
    ? 'Known after a day'
    : `${signedPercent(twr)} (time-weighted: whatever came and went between counts for nothing)`
}

function ownWords({ moneyWeighted, xirr }: Position): string {
  if (moneyWeighted === null) return 'Known after a day'
  const yearly = xirr === null ? '' : `, ${signedPercent(xirr)} a year`
  return `${signedPercent(moneyWeighted)} in all${yearly} (money-weighted: by how much of your money was in, and when)`
}

function Course({ name, history }: { name: string; history: readonly PositionDay[] }) {
  return (
    <OnDemand name="value chart" load={() => import('./ValueChart.tsx')}>
      {({ ValueChart }) => <ValueChart name={name} history={history} />}
    </OnDemand>
  )
}
