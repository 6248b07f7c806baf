import { useEffect } from 'react'
import { Button } from '../../design/Button.tsx'
import { DateTime } from '../../design/DateTime.tsx'
import { EmptyState } from '../../design/EmptyState.tsx'
import { withErrorBoundary } from '../../design/ErrorBoundary.tsx'
import { Money } from '../../design/Money.tsx'
import { type Column, Table } from '../../design/Table.tsx'
import { Tile, Tiles } from '../../design/Tiles.tsx'
import type { LastFigures } from '../lib/session.ts'
import { useSession } from '../lib/useSession.ts'
import styles from './Overview.module.css'

export const OfflineFigures = withErrorBoundary(Screen, '/dashboard/offline')

type Position = LastFigures['positions'][number]

const COLUMNS: readonly Column<Position>[] = [
  { key: 'name', header: 'Strategy', cell: ({ name }) => name },
  { key: 'value', header: 'Value', align: 'end', cell: ({ value }) => <Money value={value} /> },
]

/** The figures that this browser loaded last, with their time. The service worker shows it for a page that cannot be loaded. */
function Screen() {
  const figures = useSession()?.lastFigures
  useEffect(() => {
    addEventListener('online', tryAgain)
    return () => removeEventListener('online', tryAgain)
  }, [])
  return (
    <div className={styles.screen}>
      {figures === undefined ? (
        <EmptyState title="No figures yet">
          <p>This device shows figures here once it has loaded your overview.</p>
        </EmptyState>
      ) : (
        <>
          <p>
            <span>Loaded on</span>{' '}
            <strong>
              <DateTime at={new Date(figures.atMs).toISOString()} />
            </strong>
          </p>
          <Tiles>
            <Tile label="Value" amount={figures.totalBalance} />
            <Tile label="Available to withdraw" amount={figures.available} />
            <Tile label="Total Profit" amount={figures.profits} />
          </Tiles>
          {figures.positions.length > 0 && (
            <Table
              caption="Strategies"
              captionShown
              columns={COLUMNS}
              data={{ state: 'ready', rows: figures.positions }}
              rowKey={({ name }) => name}
              emptyText=""
            />
          )}
        </>
      )}
      <div className={styles.actions}>
        <Button onClick={tryAgain}>Try again</Button>
      </div>
    </div>
  )
}

/** The address is that of the page which could not be loaded, unless this page was opened itself. */
function tryAgain(): void {
  if (location.pathname === '/dashboard/offline') location.assign('/dashboard/overview')
  else location.reload()
}
