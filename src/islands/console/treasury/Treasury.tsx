import { useState } from 'react'
import { getTreasury, type OperatorTreasury } from '../../../contract/console/treasury.ts'
import { getReaderTimeZone } from '../../../contract/dates.ts'
import { formatNumber, sum } from '../../../contract/numbers.ts'
import { Button } from '../../../design/Button.tsx'
import { DateTime } from '../../../design/DateTime.tsx'
import { Facts } from '../../../design/Facts.tsx'
import { TextField } from '../../../design/Field.tsx'
import { Modal } from '../../../design/Modal.tsx'
import { Money } from '../../../design/Money.tsx'
import { LoadFailure, Notice } from '../../../design/Notice.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { toast } from '../../../design/toasts.ts'
import { call } from '../../lib/api.ts'
import { useResource } from '../../lib/resource.ts'
import { getServerNow } from '../../lib/serverTime.ts'
import { OperatorScreen } from '../cases/OperatorScreen.tsx'
import { TablePanel } from '../cases/TablePanel.tsx'
import { useAddress } from '../cases/useAddress.ts'
import { useOperator } from '../cases/useOperator.ts'
import { Differences } from './Differences.tsx'
import { EntryForm } from './EntryForm.tsx'
import { Journal } from './Journal.tsx'
import { Months } from './Months.tsx'
import { PauseSwitch } from './PauseSwitch.tsx'
import { PLACES, PlaceLinks } from './Places.tsx'
import styles from './Treasury.module.css'
import { findWaiting } from './words.ts'

/** /operator/treasury: the company's places of money, their proofs and journal, closed months, and the switch that pauses payouts. */
export function Treasury() {
  return (
    <OperatorScreen scope="operator:treasury.read" waiting={<TablePanel {...PLACES} />}>
      {TreasuryScreen}
    </OperatorScreen>
  )
}

function TreasuryScreen() {
  const [at, setAt] = useAddress('at', '')
  const treasury = useResource(`operator treasury ${at}`, () =>
    call(getTreasury, { query: at === '' ? {} : { at } }),
  )
  const { can } = useOperator()
  const [isProposing, setProposing] = useState(false)
  const handlePropose = can('operator:treasury.write') ? () => setProposing(true) : undefined
  if (treasury.state === 'loading') return <TablePanel {...PLACES} />
  if (treasury.state === 'failed')
    return (
      <>
        <LoadFailure msg={treasury.msg} onRetry={treasury.reload} />
        <AsOf at={at} onChange={setAt} />
      </>
    )
  const { data, reload } = treasury
  return (
    <>
      <Now treasury={data} />
      <PauseSwitch
        pause={data.pause}
        resumption={findWaiting(data, 'payout_resumption')}
        onChanged={reload}
      />
      {data.differences.length > 0 && <Differences rows={data.differences} onCleared={reload} />}
      <AsOf at={at} onChange={setAt} />
      {at !== '' && (
        <Notice tone="caution" title="Not the state of now">
          Places, proofs and journal are as of <DateTime at={data.at} />. Exchanges are left out, because they
          tell only what they hold now. Differences, closed months and the pause are those of now.
        </Notice>
      )}
      <TablePanel
        {...PLACES}
        // Empty places come last.
        rows={data.places.toSorted((a, b) => Number(a.quantity === '0') - Number(b.quantity === '0'))}
        actions={
          handlePropose && (
            <Button size="small" onClick={handlePropose}>
              Enter a statement
            </Button>
          )
        }
      />
      <Journal treasury={data} at={at} onPropose={handlePropose} />
      <Months treasury={data} onProposed={reload} />
      <Modal open={isProposing} onClose={() => setProposing(false)} title="Propose an entry" size="large">
        <EntryForm
          places={data.places}
          onProposed={() => {
            setProposing(false)
            reload()
            toast.success('Proposed. Another treasurer approves it under Proposals.')
          }}
          onCancel={() => setProposing(false)}
        />
      </Modal>
    </>
  )
}

/** The value of all places, open differences, and balances below zero. */
function Now({ treasury: { places, differences } }: { treasury: OperatorTreasury }) {
  const open = differences.filter(({ cleared }) => cleared === null).length
  const unproven = places.filter(({ reconciled }) => reconciled === null).length
  const negative = places.filter(({ quantity }) => quantity.startsWith('-'))
  const priced = places.filter(({ valueUsd }) => valueUsd !== null)
  const unpriced = places.filter(({ valueUsd, quantity }) => valueUsd === null && quantity !== '0')
  return (
    <Panel title="In custody">
      <Facts
        facts={[
          priced.length > 0 && {
            label: 'Total at market prices',
            value: (
              <>
                <strong>
                  <Money value={Math.round(sum(priced.map(({ valueUsd }) => (valueUsd ?? 0) * 100))) / 100} />
                </strong>
                {unpriced.length > 0 && <PlaceLinks title="Without a price:" places={unpriced} />}
              </>
            ),
          },
          {
            label: 'Open differences',
            value: (
              <>
                {open === 0 ? <span>None</span> : <a href="#differences">{formatNumber(open)}</a>}
                <div className="soft small">
                  {`${formatNumber(places.length - unproven)} of ${formatNumber(places.length)} places are compared with a count or a statement.`}
                </div>
              </>
            ),
          },
          {
            label: 'Below zero',
            value: negative.length === 0 ? 'None' : <PlaceLinks places={negative} />,
          },
        ]}
      />
    </Panel>
  )
}

interface AsOfProps {
  /** In UTC, as the address has it; blank for now. */
  at: string
  onChange: (at: string) => void
}

/** Chooses the time of the shown quantities, in the reader's zone. */
function AsOf({ at, onChange }: AsOfProps) {
  const formatField = (ms: number) =>
    Number.isNaN(ms)
      ? ''
      : new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
  return (
    <form
      // Resets the field when the address changes, also by the back button.
      key={at}
      className={styles.fields}
      onSubmit={(event) => {
        event.preventDefault()
        const ms = Date.parse(String(new FormData(event.currentTarget).get('at')))
        onChange(Number.isNaN(ms) ? '' : new Date(ms).toISOString())
      }}
    >
      <TextField
        label={`As of (${getReaderTimeZone().replaceAll('_', ' ')})`}
        name="at"
        type="datetime-local"
        max={formatField(getServerNow())}
        defaultValue={formatField(at === '' ? getServerNow() : Date.parse(at))}
      />
      <Button type="submit">Show</Button>
      {at !== '' && (
        <Button variant="quiet" onClick={() => onChange('')}>
          Now
        </Button>
      )}
    </form>
  )
}
