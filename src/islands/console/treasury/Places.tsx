import { formatDecimal, getCoinSymbol } from '../../../contract/console/coinWords.ts'
import type { OperatorTreasury } from '../../../contract/console/treasury.ts'
import { isolate } from '../../../contract/isolate.ts'
import { TableDate } from '../../../design/DateTime.tsx'
import { buildLinkHref } from '../audit/words.ts'
import { NoWrap } from '../cases/columns.tsx'
import type { TablePanelProps } from '../cases/TablePanel.tsx'
import styles from './Treasury.module.css'
import { PROOF_LABELS } from './words.ts'

type Place = OperatorTreasury['places'][number]

export const PLACES: TablePanelProps<Place> = {
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
      cell: ({ reconciled, quantity }) =>
        reconciled === null ? (
          '–'
        ) : (
          <>
            <Quantity text={reconciled.difference} />
            {reconciled.books !== quantity && (
              <div className="soft small">
                <span>books then:</span> <Quantity text={reconciled.books} />
              </div>
            )}
          </>
        ),
    },
  ],
  rowKey: ({ _id }) => _id,
  emptyText: 'There is no place yet.',
}

function getPlaceAnchor(id: string): string {
  return `place-${id}`
}

/** Links to the rows of places. */
export function PlaceLinks({ title, places }: { title?: string; places: readonly Place[] }) {
  return (
    <>
      {title !== undefined && <span>{title}</span>}
      <ul className={styles.links}>
        {places.map(({ _id, name, asset }) => (
          <li key={_id}>
            <a href={`#${getPlaceAnchor(_id)}`}>{`${getCoinSymbol(asset)}: ${isolate(name)}`}</a>
          </li>
        ))}
      </ul>
    </>
  )
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
export function Quantity({ text }: { text: string }) {
  return <NoWrap>{formatDecimal(text)}</NoWrap>
}
