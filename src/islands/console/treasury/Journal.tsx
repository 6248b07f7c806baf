import { formatAssetQuantity } from '../../../contract/console/coinWords.ts'
import { listEntries, type OperatorTreasury, type TreasuryEntry } from '../../../contract/console/treasury.ts'
import { ENTRY_LABELS } from '../../../contract/console/treasuryActs.ts'
import { formatMonth } from '../../../contract/dates.ts'
import { Button } from '../../../design/Button.tsx'
import { DateTime, TableDate } from '../../../design/DateTime.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { SelectField } from '../../../design/SelectField.tsx'
import { Pagination } from '../../../design/Table.tsx'
import { callBlob } from '../../lib/api.ts'
import { toIsoDay } from '../../lib/days.ts'
import { usePages } from '../../lib/pages.ts'
import { SaveCsv } from '../../lib/SaveCsv.tsx'
import { buildLinkHref } from '../audit/words.ts'
import { NoWrap } from '../cases/columns.tsx'
import { TablePanel, type TablePanelProps } from '../cases/TablePanel.tsx'
import { useAddress } from '../cases/useAddress.ts'
import { listPlaceOptions } from './EntryForm.tsx'
import { Quantity } from './Places.tsx'
import styles from './Treasury.module.css'
import { CAUSE_LABELS, formatEntryCount, type WaitingProposal } from './words.ts'

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

/** The entries of all places, narrowed to a place or a month. */
export function Journal({ treasury, at, onPropose }: JournalProps) {
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
