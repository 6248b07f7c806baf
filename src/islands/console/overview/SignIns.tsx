import type { OperatorHealth } from '../../../contract/console/health.ts'
import { dateTimeText } from '../../../design/DateTime.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { Skeleton } from '../../../design/Skeleton.tsx'
import { type Column, Table } from '../../../design/Table.tsx'
import { Tile, Tiles } from '../../../design/Tiles.tsx'
import styles from './Overview.module.css'
import { failedSignIns } from './signInHours.ts'

type Failed = ReturnType<typeof failedSignIns>

/** Failed sign-ins: how many, when and why, never of whom. Undefined while it loads. */
export function SignIns({ health }: { health: OperatorHealth | undefined }) {
  const failed = health && failedSignIns(health.at, health.signIns.hours)
  const locked = health?.signIns.locked
  return (
    <div id="sign-ins" className={styles.signIns}>
      <Panel title="Failed sign-ins">
        <Tiles>
          <Tile label="Last 24 hours" count={failed?.day} />
          <Tile label="Last 7 days" count={failed?.week} />
          <Tile
            label="Accounts that wait now"
            count={locked?.accounts}
            hint={
              locked &&
              `After ten failures in a quarter of an hour. Networks that wait after thirty: ${locked.addresses}.`
            }
          />
        </Tiles>
        {failed === undefined ? <Skeleton width="full" height="block" /> : <FailedSignIns failed={failed} />}
      </Panel>
    </div>
  )
}

function FailedSignIns({ failed: { hours, day, causes } }: { failed: Failed }) {
  return (
    <>
      {day > 0 && <Bars hours={hours} />}
      {causes.length > 0 && (
        <Table
          caption="Why sign-ins failed"
          captionShown
          columns={causeColumns}
          data={{ state: 'ready', rows: causes }}
          rowKey={({ cause }) => cause}
          emptyText="None failed."
        />
      )}
      {day > 0 && (
        <details className={styles.table}>
          <summary>The last 24 hours as a table</summary>
          <Table
            caption="Failed sign-ins by hour"
            columns={hourColumns}
            data={{ state: 'ready', rows: hours.filter(({ count }) => count > 0).toReversed() }}
            rowKey={({ at }) => at}
            emptyText="None failed."
          />
        </details>
      )}
    </>
  )
}

const [WIDTH, HEIGHT, GAP] = [240, 48, 2]

/** A bar for each hour; the table below has the numbers. */
function Bars({ hours }: { hours: Failed['hours'] }) {
  const most = Math.max(...hours.map(({ count }) => count))
  const step = WIDTH / hours.length
  return (
    <figure className={styles.figure}>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        className={styles.bars}
        role="img"
        aria-label={`Failed sign-ins of the last 24 hours, at most ${most} an hour`}
      >
        {hours.map(({ at, count }, n) => {
          // Any failure is visible.
          const height = count === 0 ? 0 : Math.max(2, (count / most) * HEIGHT)
          return <rect key={at} x={n * step} y={HEIGHT - height} width={step - GAP} height={height} />
        })}
      </svg>
      <figcaption className="small soft">
        By hour, from <span>{dateTimeText(hours[0]?.at ?? '')}</span> to now; the highest is {most}.
      </figcaption>
    </figure>
  )
}

const causeColumns: readonly Column<Failed['causes'][number]>[] = [
  { key: 'cause', header: 'Cause', cell: ({ cause }) => cause },
  { key: 'day', header: '24 hours', align: 'end', cell: ({ day }) => day.toLocaleString('en-US') },
  { key: 'week', header: '7 days', align: 'end', cell: ({ week }) => week.toLocaleString('en-US') },
]

const hourColumns: readonly Column<Failed['hours'][number]>[] = [
  { key: 'at', header: 'Hour from', cell: ({ at }) => dateTimeText(at) },
  { key: 'count', header: 'Failed', align: 'end', cell: ({ count }) => count.toLocaleString('en-US') },
]
