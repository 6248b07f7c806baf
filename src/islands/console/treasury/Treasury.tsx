import { useState } from 'react'
import { formatAssetQuantity, formatDecimal, getCoinSymbol } from '../../../contract/console/coinWords.ts'
import { propose } from '../../../contract/console/proposalBodies.ts'
import {
  clearDifference,
  getTreasury,
  listEntries,
  type OperatorTreasury,
  type TreasuryEntry,
} from '../../../contract/console/treasury.ts'
import { formatMonth, getReaderTimeZone } from '../../../contract/dates.ts'
import { isolate } from '../../../contract/isolate.ts'
import { Button } from '../../../design/Button.tsx'
import { DateTime, TableDate } from '../../../design/DateTime.tsx'
import { TextField } from '../../../design/Field.tsx'
import { Modal } from '../../../design/Modal.tsx'
import { LoadFailure, Notice } from '../../../design/Notice.tsx'
import { SelectField } from '../../../design/SelectField.tsx'
import { Pagination } from '../../../design/Table.tsx'
import { toast } from '../../../design/toasts.ts'
import { call, callBlob } from '../../lib/api.ts'
import { toIsoDay } from '../../lib/days.ts'
import { usePages } from '../../lib/pages.ts'
import { useResource } from '../../lib/resource.ts'
import { SaveCsv } from '../../lib/SaveCsv.tsx'
import { getServerNow } from '../../lib/serverTime.ts'
import { buildLinkHref } from '../audit/words.ts'
import { NoWrap } from '../cases/columns.tsx'
import { OperatorScreen } from '../cases/OperatorScreen.tsx'
import { ReasonForm } from '../cases/ReasonForm.tsx'
import { TablePanel, type TablePanelProps } from '../cases/TablePanel.tsx'
import { useAddress } from '../cases/useAddress.ts'
import { useOperator } from '../cases/useOperator.ts'
import { EntryForm, listPlaceOptions } from './EntryForm.tsx'
import { PauseSwitch } from './PauseSwitch.tsx'
import styles from './Treasury.module.css'
import { CAUSE_LABELS, ENTRY_LABELS, PROOF_LABELS } from './words.ts'

type Place = OperatorTreasury['places'][number]
type Difference = OperatorTreasury['differences'][number]

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
  return (
    <>
      <AsOf at={at} onChange={setAt} />
      <TreasuryAt at={at} />
    </>
  )
}

function TreasuryAt({ at }: { at: string }) {
  const treasury = useResource(`operator treasury ${at}`, () =>
    call(getTreasury, { query: at === '' ? {} : { at } }),
  )
  const { can } = useOperator()
  const [isProposing, setProposing] = useState(false)
  const handlePropose = can('operator:treasury.write') ? () => setProposing(true) : undefined
  if (treasury.state === 'failed') return <LoadFailure msg={treasury.msg} onRetry={treasury.reload} />
  if (treasury.state === 'loading') return <TablePanel {...PLACES} />
  const { data, reload } = treasury
  return (
    <>
      {at !== '' && (
        <Notice tone="caution" title="Not the state of now">
          Places, proofs and journal are as of <DateTime at={data.at} />. Exchanges are left out, because they
          tell only what they hold now. Differences, closed months and the pause are those of now.
        </Notice>
      )}
      <PauseSwitch
        pause={data.pause}
        resumption={findWaiting(data, 'payout_resumption')}
        onChanged={reload}
      />
      <Differences rows={data.differences} onCleared={reload} />
      <TablePanel
        {...PLACES}
        rows={data.places}
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

type WaitingProposal = OperatorTreasury['waiting'][number]

function findWaiting({ waiting }: OperatorTreasury, kind: WaitingProposal['kind']) {
  return waiting.find((proposal) => proposal.kind === kind)
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

const PLACES: TablePanelProps<Place> = {
  title: 'Places',
  lead: (
    <p className="soft small">
      Once a day we compare watched wallets with their chain, and exchanges with their own answer. Other
      places are compared with their newest statement when it is approved.
    </p>
  ),
  columns: [
    {
      key: 'name',
      header: 'Place',
      narrow: 'start',
      cell: ({ _id, name }) => (
        <bdi id={getPlaceAnchor(_id)} className={styles.place} tabIndex={-1}>
          {name}
        </bdi>
      ),
    },
    { key: 'asset', header: 'Asset', narrow: 'end', cell: ({ asset }) => getCoinSymbol(asset) },
    {
      key: 'books',
      header: 'Books',
      narrow: 'line',
      label: true,
      align: 'end',
      cell: ({ quantity }) => <Quantity text={quantity} />,
    },
    {
      key: 'proven',
      header: 'Proven',
      narrow: 'line',
      label: true,
      align: 'end',
      cell: (place) => <ProofCell place={place} />,
    },
    {
      key: 'difference',
      header: 'Difference',
      narrow: 'line',
      label: true,
      align: 'end',
      cell: ({ reconciled }) => (reconciled === null ? '–' : <Quantity text={reconciled.difference} />),
    },
  ],
  rowKey: ({ _id }) => _id,
  emptyText: 'There is no place yet.',
}

function getPlaceAnchor(id: string): string {
  return `place-${id}`
}

/** What proves a place, since when, and the statement that follows. */
function ProofCell({ place: { reconciled, proof, statement } }: { place: Place }) {
  if (reconciled === null && statement === null) return PROOF_LABELS[proof].missing
  return (
    <span>
      {reconciled !== null && (
        <>
          <Quantity text={reconciled.proven} />
          <br />
          <span className="soft small">
            <span>{PROOF_LABELS[proof].by}</span>{' '}
            {proof === 'statement' ? (
              <>
                <StatementDayCell at={reconciled.at} />
                <span>, compared </span>
                <TableDate at={reconciled.comparedAt} />
              </>
            ) : (
              <TableDate at={reconciled.at} />
            )}
          </span>
          <br />
        </>
      )}
      {statement !== null && <NextStatementCell statement={statement} />}
    </span>
  )
}

function NextStatementCell({ statement }: { statement: NonNullable<Place['statement']> }) {
  const { proposal, at, comparedFrom } = statement
  return (
    <span className="small">
      Statement of <StatementDayCell at={at} />{' '}
      {comparedFrom === null ? (
        <a href={buildLinkHref('proposal', proposal) ?? ''}>waits for approval</a>
      ) : (
        <span>
          is approved. The check at <TableDate at={comparedFrom} /> compares it.
        </span>
      )}
    </span>
  )
}

/** The day of a statement's balance, which is that of its end in UTC. */
function StatementDayCell({ at }: { at: string }) {
  return <TableDate at={at} show="date" timeZone="UTC" />
}

/** An exact quantity on one line. The column beside it has the asset. */
function Quantity({ text }: { text: string }) {
  return <NoWrap>{formatDecimal(text)}</NoWrap>
}

function Differences({ rows, onCleared }: { rows: readonly Difference[]; onCleared: () => void }) {
  const { can } = useOperator()
  const [openId, setOpenId] = useAddress('open', '')
  const opened = rows.find(({ _id, cleared }) => _id === openId && cleared === null) ?? null
  const close = () => setOpenId('')
  return (
    <section id="differences">
      <TablePanel
        title="Differences"
        columns={[
          { key: 'at', header: 'Since', narrow: 'start', cell: ({ since }) => <TableDate at={since} /> },
          { key: 'place', header: 'Place', narrow: 'line', cell: ({ place }) => <bdi>{place}</bdi> },
          {
            key: 'quantity',
            header: 'Difference',
            narrow: 'line',
            align: 'end',
            cell: ({ quantity, asset, isNegative }) => (
              <span>
                <NoWrap>{formatAssetQuantity(quantity, asset)}</NoWrap>
                <span>{isNegative && ', below zero'}</span>
              </span>
            ),
          },
          {
            key: 'cleared',
            header: 'Cleared',
            narrow: 'line',
            cell: ({ cleared }) =>
              cleared === null ? (
                'Open'
              ) : (
                <span>
                  <bdi>{cleared.by.name}</bdi>, <TableDate at={cleared.at} />: <bdi>{cleared.reason}</bdi>
                </span>
              ),
          },
        ]}
        rows={rows}
        rowKey={({ _id }) => _id}
        emptyText="No difference in what was compared."
        {...(can('operator:treasury.write') && {
          onOpen: (row: Difference) => setOpenId(row._id),
        })}
      />
      <Modal open={opened !== null} onClose={close} title="Clear a difference">
        {opened !== null && (
          <>
            <p>
              {formatAssetQuantity(opened.quantity, opened.asset)} at <bdi>{opened.place}</bdi>
              <span>{opened.isNegative && ', below zero'}</span>, since <DateTime at={opened.since} />.
            </p>
            <ReasonForm
              row={opened}
              endpoint={clearDifference}
              hint="Other operators can read it."
              consequence="The difference is cleared. This books nothing: propose an entry for a missing one."
              confirmLabel="Clear the difference"
              variant="primary"
              onDecided={() => {
                close()
                toast.success('Cleared.')
                onCleared()
              }}
              onOvertaken={onCleared}
              onCancel={close}
            />
          </>
        )}
      </Modal>
    </section>
  )
}

const JOURNAL: TablePanelProps<TreasuryEntry> = {
  title: 'Journal',
  columns: [
    { key: 'at', header: 'When', narrow: 'start', cell: ({ createdAt }) => <TableDate at={createdAt} /> },
    { key: 'place', header: 'Place', narrow: 'line', cell: ({ place }) => <bdi>{place.name}</bdi> },
    {
      key: 'code',
      header: 'Entry',
      narrow: 'line',
      cell: (entry) => (
        <span>
          <span>{ENTRY_LABELS[entry.code]}</span>
          <EntryCause entry={entry} />
        </span>
      ),
    },
    {
      key: 'quantity',
      header: 'Quantity',
      narrow: 'start',
      align: 'end',
      cell: ({ quantity, asset }) => <NoWrap>{formatAssetQuantity(quantity, asset)}</NoWrap>,
    },
    {
      key: 'balance',
      header: 'Balance',
      narrow: 'end',
      label: true,
      align: 'end',
      cell: ({ balance }) => <Quantity text={balance} />,
    },
  ],
  rowKey: ({ _id }) => _id,
  emptyText: 'No entry was booked yet.',
}

/** A link to the case behind an entry, by its reference if it has one. */
function EntryCause({ entry: { cause } }: { entry: TreasuryEntry }) {
  if (cause === null) return null
  const { kind, _id, reference } = cause
  return (
    <>
      <span> · </span>
      <a href={buildLinkHref(kind, _id) ?? ''} translate={reference === null ? undefined : 'no'}>
        {reference ?? CAUSE_LABELS[kind]}
      </a>
    </>
  )
}

interface JournalProps {
  treasury: OperatorTreasury
  at: string
  /** Undefined for those who may not. */
  onPropose: (() => void) | undefined
}

function Journal({ treasury, at, onPropose }: JournalProps) {
  const [place, setPlace] = useAddress('place', '')
  const [month, setMonth] = useAddress('month', '')
  // With a time, the entries until then.
  const query = { place, ...(at === '' ? getMonthPeriod(month) : { to: at }) }
  const pages = usePages(listEntries, query)
  const waiting = treasury.waiting.filter(({ kind }) => kind === 'treasury')
  return (
    <TablePanel
      {...JOURNAL}
      actions={
        <div className="row">
          {onPropose && (
            <Button variant="primary" size="small" onClick={onPropose}>
              Propose an entry
            </Button>
          )}
          <SaveCsv
            label="Export as CSV"
            variant="quiet"
            size="small"
            buildName={() => `journal-${month === '' ? toIsoDay(Date.now()) : month}`}
            load={() => callBlob(listEntries, { query: { ...query, format: 'csv' } })}
          />
        </div>
      }
      data={pages.data}
      onRetry={pages.reload}
      emptyText={place === '' && month === '' ? JOURNAL.emptyText : 'No entry matches.'}
      lead={
        <>
          {waiting.length > 0 && (
            <Notice title={formatEntryCount(waiting.length)}>
              <WaitingList waiting={waiting} />
            </Notice>
          )}
          <div className={styles.fields}>
            <SelectField
              label="Place"
              value={place}
              options={[{ value: '', label: 'All places' }, ...listPlaceOptions(treasury.places)]}
              onChange={({ target }) => setPlace(target.value)}
            />
            {at === '' && (
              <SelectField
                label="Month (UTC)"
                value={month}
                options={[
                  { value: '', label: 'All months' },
                  ...listMonths(treasury).map((value) => ({ value, label: formatMonth(value, 'long') })),
                ]}
                onChange={({ target }) => setMonth(target.value)}
              />
            )}
          </div>
        </>
      }
      footer={<Pagination {...pages} />}
    />
  )
}

/** This month, those that can be closed, and the closed ones, newest first. */
function listMonths({ at, closable, months }: OperatorTreasury): string[] {
  return [...new Set([at.slice(0, 7), ...closable.toReversed(), ...months.map(({ month }) => month)])]
}

/** The first and the last day of a month; none for a blank one. */
function getMonthPeriod(month: string): { from?: string; to?: string } {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return number === 0 ? {} : { from: `${month}-01`, to: toIsoDay(Date.UTC(year, number, 0)) }
}

function formatEntryCount(count: number): string {
  return count === 1
    ? 'One proposed entry waits for another treasurer'
    : `${count} proposed entries wait for another treasurer`
}

/** Proposals that wait, with the way to each. */
function WaitingList({ waiting }: { waiting: readonly WaitingProposal[] }) {
  return (
    <ul className="plain-list">
      {waiting.map(({ _id, createdAt, by }) => (
        <li key={_id}>
          <bdi>{by.name}</bdi>, <DateTime at={createdAt} />:{' '}
          <a href={buildLinkHref('proposal', _id) ?? ''}>the proposal</a>
        </li>
      ))}
    </ul>
  )
}

interface MonthsProps {
  treasury: OperatorTreasury
  onProposed: () => void
}

function Months({ treasury, onProposed }: MonthsProps) {
  const { months, closable } = treasury
  const { can } = useOperator()
  const [isClosing, setClosing] = useState(false)
  const [next] = closable
  const proposed = findWaiting(treasury, 'month_close')
  return (
    <TablePanel
      title="Closed months"
      lead={
        <p className="soft small">
          Two people close a month. Its hash is computed from its entries and balances, so a later change
          would show.
        </p>
      }
      columns={[
        { key: 'month', header: 'Month', narrow: 'start', cell: ({ month }) => formatMonth(month, 'long') },
        { key: 'at', header: 'Closed', narrow: 'end', cell: ({ at }) => <TableDate at={at} /> },
        {
          key: 'hash',
          header: 'Hash',
          narrow: 'line',
          cell: ({ hash }) => <code translate="no">{hash}</code>,
        },
      ]}
      rows={months}
      rowKey={({ month }) => month}
      emptyText="No month is closed yet."
    >
      {proposed === undefined ? <MonthObstacle treasury={treasury} /> : <CloseProposed waiting={proposed} />}
      <Unsettled treasury={treasury} />
      {next !== undefined && proposed === undefined && can('operator:proposals.write') && (
        <div className="row">
          <Button onClick={() => setClosing(true)}>{`Propose to close ${formatMonth(next, 'long')}`}</Button>
        </div>
      )}
      <Modal
        open={isClosing}
        onClose={() => setClosing(false)}
        title={`Close ${next === undefined ? '' : formatMonth(next, 'long')}`}
      >
        <ReasonForm
          row={{ _id: '' }}
          endpoint={propose}
          body={{ kind: 'month_close', month: next ?? '' }}
          what="Closing a month"
          hint="Other operators can read it."
          consequence="Once another operator approves, the month is named by the hash of its books. Later entries go to the next month."
          confirmLabel="Propose to close the month"
          variant="primary"
          onDecided={() => {
            setClosing(false)
            toast.success('Proposed. Another operator approves it under Proposals.')
            onProposed()
          }}
          onOvertaken={onProposed}
          onCancel={() => setClosing(false)}
        />
      </Modal>
    </TablePanel>
  )
}

function CloseProposed({ waiting: { _id, createdAt, by } }: { waiting: WaitingProposal }) {
  return (
    <Notice title="Closing a month is proposed">
      <bdi>{by.name}</bdi> proposed it, <DateTime at={createdAt} />. Another operator has to approve{' '}
      <a href={buildLinkHref('proposal', _id) ?? ''}>the proposal</a>.
    </Notice>
  )
}

/** Why no month can be closed now. */
function MonthObstacle({ treasury: { closable, nextMonth } }: { treasury: OperatorTreasury }) {
  if (closable.length > 0) return null
  if (nextMonth === null)
    return (
      <p>
        No month can be closed yet. The first balances of the ledger are kept within a day, and then their
        month can.
      </p>
    )
  return (
    <p>
      <span>{formatMonth(nextMonth.month, 'long')}</span> is the next month to close. It can be closed from{' '}
      <DateTime at={nextMonth.endsAt} />, when it is over in UTC.
    </p>
  )
}

/** What should be settled before a month is closed, with the way to each. */
function Unsettled({ treasury }: { treasury: OperatorTreasury }) {
  const { differences, waiting, places, closable, nextMonth } = treasury
  const open = differences.filter(({ cleared }) => cleared === null).length
  const entries = waiting.filter(({ kind }) => kind === 'treasury')
  const provenFrom = closable.length > 0 && nextMonth !== null ? Date.parse(nextMonth.endsAt) - 1 : 0
  const unproven = places.filter(
    ({ proof, reconciled, quantity }) =>
      proof === 'statement' &&
      quantity !== '0' &&
      (reconciled === null || Date.parse(reconciled.at) < provenFrom),
  )
  if (open + entries.length + unproven.length === 0) return null
  return (
    <Notice tone="caution" title="Settle this before you close a month">
      <p>You can close it all the same: this is only a warning.</p>
      <ul>
        {open > 0 && (
          <li>
            <a href="#differences">{open === 1 ? 'One open difference' : `${open} open differences`}</a>
          </li>
        )}
        {entries.length > 0 && (
          <li>
            <a href="/operator/proposals">{formatEntryCount(entries.length)}</a>
          </li>
        )}
        {unproven.length > 0 && (
          <li>
            <span>
              {provenFrom === 0
                ? 'Not compared with a statement yet:'
                : 'Not compared with a statement at or after the end of the month yet:'}
            </span>
            <ul className={styles.links}>
              {unproven.map(({ _id, name, asset }) => (
                <li key={_id}>
                  <a href={`#${getPlaceAnchor(_id)}`}>{`${getCoinSymbol(asset)}: ${isolate(name)}`}</a>
                </li>
              ))}
            </ul>
          </li>
        )}
      </ul>
    </Notice>
  )
}
