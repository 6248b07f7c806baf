import { type Ref, useEffect, useRef, useState } from 'react'
import type { MarketCoin } from '../../contract/investing/market.ts'
import { formatPrice } from '../../contract/money.ts'
import { Button } from '../../design/Button.tsx'
import { joinClasses } from '../../design/classes.ts'
import { TableDate } from '../../design/DateTime.tsx'
import { TextField } from '../../design/Field.tsx'
import { LoadFailure } from '../../design/Notice.tsx'
import { Panel } from '../../design/Panel.tsx'
import { SelectField } from '../../design/SelectField.tsx'
import { Skeleton } from '../../design/Skeleton.tsx'
import { coins } from '../investing/market/lists.ts'
import styles from './Market.module.css'
import { CoinName, Source, useMarketList } from './MarketParts.tsx'
import { BY_RANK, listShownCoins, ORDERS, type Sorting, type SortKey, toggleSorting } from './topCoins.ts'

const COLUMNS: readonly { key: SortKey; header: string; label: string; end?: true }[] = [
  { key: 'market_cap_rank', header: '#', label: 'Rank' },
  { key: 'name', header: 'Name', label: 'Name' },
  { key: 'current_price', header: 'Price', label: 'Price', end: true },
  { key: 'ath', header: 'All-time high', label: 'All-time high', end: true },
  { key: 'ath_date', header: 'Date', label: 'Date of the all-time high', end: true },
]
const PLACES: Record<SortKey, string | undefined> = {
  market_cap_rank: styles.rank,
  name: styles.name,
  current_price: joinClasses(styles.end, styles.price),
  ath: joinClasses(styles.end, styles.high),
  ath_date: joinClasses(styles.end, styles.on),
}
/** How many rows are shown at first. */
const FIRST = 10
const WAITING = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]

// Some browsers drop the table roles if CSS changes `display`.
const asTable = { role: 'table' }
const asRowGroup = { role: 'rowgroup' }
const asRow = { role: 'row' }
const asHeader = { role: 'columnheader' }
const asCell = { role: 'cell' }

export function TopCoins() {
  const list = useMarketList(coins.$list)
  const [typed, setTyped] = useState('')
  const [sorting, setSorting] = useState(BY_RANK)
  const [isAll, setAll] = useState(false)
  const body = useRef<HTMLTableSectionElement>(null)
  const toggle = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // "Show all" moves the focus to the first new row; "show fewer" keeps the button in view.
    const next = body.current?.rows[FIRST]
    if (isAll && next) {
      next.tabIndex = -1
      next.focus()
    } else if (document.activeElement === toggle.current) {
      toggle.current?.scrollIntoView({ block: 'nearest' })
    }
  }, [isAll])
  const rows = list.state === 'ready' ? listShownCoins(list.rows, typed, sorting) : null
  return (
    <div className={styles.top}>
      <Panel title="Top 50 by market value">
        <Source list={list} />
        {list.state === 'failed' ? (
          <LoadFailure msg={list.msg} onRetry={coins.retry} />
        ) : (
          <>
            <search className={styles.tools}>
              <TextField
                label="Filter by name"
                type="search"
                autoComplete="off"
                value={typed}
                onChange={(event) => setTyped(event.target.value)}
              />
              {/* Replaces the sortable headings on narrow screens. */}
              <div className={styles.sort}>
                <SelectField
                  label="Sort by"
                  options={ORDERS.map(({ label }, index) => ({ value: String(index), label }))}
                  value={ORDERS.findIndex(
                    ({ by, direction }) => by === sorting.by && direction === sorting.direction,
                  )}
                  onChange={(event) => setSorting(ORDERS[Number(event.target.value)] ?? BY_RANK)}
                />
              </div>
            </search>
            <Coins
              rows={rows}
              sorting={sorting}
              onSort={(key) => setSorting(toggleSorting(key, sorting))}
              isAll={isAll}
              body={body}
            />
            {rows !== null && rows.length > FIRST && (
              <Button ref={toggle} wide onClick={() => setAll(!isAll)}>
                {isAll ? `Show the first ${FIRST} only` : `Show all ${rows.length}`}
              </Button>
            )}
            <p className={typed === '' ? 'visually-hidden' : styles.found} role="status">
              {rows === null
                ? 'Loading the top 50'
                : rows.length === 0
                  ? `No coin among them is called “${typed.trim()}”.`
                  : typed !== '' &&
                    `${rows.length} of ${list.state === 'ready' ? list.rows.length : 0} coins`}
            </p>
          </>
        )}
      </Panel>
    </div>
  )
}

interface CoinsProps {
  /** Null while loading. */
  rows: readonly MarketCoin[] | null
  sorting: Sorting
  onSort: (key: SortKey) => void
  isAll: boolean
  body: Ref<HTMLTableSectionElement>
}

function Coins({ rows, sorting, onSort, isAll, body }: CoinsProps) {
  return (
    <table
      className={joinClasses(styles.table, isAll ? undefined : styles.few)}
      {...asTable}
      aria-busy={rows === null || undefined}
    >
      <caption className="visually-hidden">Top 50 coins by market value</caption>
      <thead {...asRowGroup}>
        <tr {...asRow}>
          {COLUMNS.map(({ key, header, label, end }) => (
            <th
              key={key}
              {...asHeader}
              scope="col"
              className={end && styles.end}
              aria-sort={sorting.by === key ? sorting.direction : undefined}
            >
              <button type="button" onClick={() => onSort(key)}>
                <span>{header === label ? header : <Short text={header} meaning={label} />}</span>
                <span className={styles.arrow} aria-hidden="true">
                  {sorting.by === key && (sorting.direction === 'ascending' ? '↑' : '↓')}
                </span>
              </button>
            </th>
          ))}
        </tr>
      </thead>
      <tbody ref={body} {...asRowGroup}>
        {rows === null
          ? WAITING.map((place) => (
              <tr key={place} {...asRow}>
                {COLUMNS.map(({ key, end }) => (
                  <td key={key} {...asCell} className={PLACES[key]}>
                    <Skeleton width={end ? 'short' : key === 'name' ? 'medium' : 'full'} />
                  </td>
                ))}
              </tr>
            ))
          : rows.map((coin) => <Row key={coin.id} coin={coin} />)}
      </tbody>
    </table>
  )
}

function Short({ text, meaning }: { text: string; meaning: string }) {
  return (
    <>
      <span aria-hidden="true">{text}</span>
      <span className="visually-hidden">{meaning}</span>
    </>
  )
}

function Unknown() {
  return <Short text="–" meaning="not known" />
}

function Row({ coin }: { coin: MarketCoin }) {
  return (
    <tr {...asRow}>
      <td {...asCell} className={PLACES.market_cap_rank}>
        {coin.market_cap_rank}
      </td>
      <td {...asCell} className={PLACES.name}>
        <CoinName name={coin.name} symbol={coin.symbol} picture={coin.image} />
      </td>
      <td {...asCell} className={PLACES.current_price}>
        {formatPrice(coin.current_price)}
      </td>
      <td {...asCell} className={PLACES.ath} data-label="High">
        {coin.ath === null ? <Unknown /> : formatPrice(coin.ath)}
      </td>
      <td {...asCell} className={PLACES.ath_date}>
        {coin.ath_date === null ? <Unknown /> : <TableDate at={coin.ath_date} show="date" />}
      </td>
    </tr>
  )
}
