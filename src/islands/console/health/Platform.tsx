import type { OperatorHealth } from '../../../contract/console/health.ts'
import { MOST_MAILS } from '../../../contract/console/health.ts'
import { isolate } from '../../../contract/isolate.ts'
import { formatNumber } from '../../../contract/numbers.ts'
import { DateTime, TableDate } from '../../../design/DateTime.tsx'
import { Facts } from '../../../design/Facts.tsx'
import { Skeleton } from '../../../design/Skeleton.tsx'
import { Status } from '../../../design/Status.tsx'
import { type Column, Table } from '../../../design/Table.tsx'
import { Tile, Tiles } from '../../../design/Tiles.tsx'
import { toCapitalised } from '../../money/transactions/words.ts'
import { FoldPanel } from '../cases/Fold.tsx'
import { joinRoles } from '../cases/roleWords.ts'
import { TablePanel } from '../cases/TablePanel.tsx'
import styles from './Health.module.css'
import { countFailedSignIns } from './signInHours.ts'
import { checkWords, describeCronJob } from './words.ts'

interface PlatformProps {
  /** Undefined while it loads. */
  health: OperatorHealth | undefined
}

/** The health of the platform: mail, self-checks, cron, prices, sign-ins. */
export function Platform({ health }: PlatformProps) {
  return (
    <>
      <Mail mail={health?.mail} />
      <SelfChecks health={health} />
      <CronAndPrices health={health} />
      <SignIns health={health} />
      <TablePanel
        title="Operators signed in"
        fold={{
          gist:
            health && new Intl.ListFormat('en-GB').format(health.operators.map(({ name }) => isolate(name))),
          isInOrder: true,
        }}
        columns={[
          { key: 'name', header: 'Name', narrow: 'line', cell: ({ name }) => name },
          { key: 'roles', header: 'Roles', narrow: 'line', cell: ({ roles }) => joinRoles(roles) },
          {
            key: 'sessions',
            header: 'Sessions',
            align: 'end',
            narrow: 'start',
            label: true,
            cell: ({ sessions }) => sessions,
          },
          {
            key: 'seen',
            header: 'Last seen',
            align: 'end',
            narrow: 'end',
            label: true,
            cell: ({ lastSeenAt }) => <TableDate at={lastSeenAt} />,
          },
        ]}
        rows={health?.operators}
        rowKey={({ _id }) => _id}
        emptyText="Nobody is signed in."
        skeletonRows={2}
      />
    </>
  )
}

/** Mails that wait to be sent, and the errors of failed ones. */
function Mail({ mail }: { mail: OperatorHealth['mail'] | undefined }) {
  return (
    <FoldPanel
      title="Mail"
      gist={
        mail && (mail.waiting === 0 ? 'No mail is waiting.' : `${formatMailCount(mail.waiting)} waiting.`)
      }
      isInOrder={!mail || (mail.carried && mail.failing.length === 0)}
    >
      {mail === undefined ? (
        <Skeleton width="full" height="block" />
      ) : (
        <Facts
          facts={[
            { label: 'Waiting', value: formatMailCount(mail.waiting) },
            { label: 'Oldest', value: mail.oldest ? <DateTime at={mail.oldest} /> : 'None waiting' },
            {
              label: 'Failed, will be retried',
              value:
                mail.failing.length === 0
                  ? 'None'
                  : mail.failing.map(({ error, count }) => `${formatMailCount(count)}: ${error}`).join('; '),
            },
            { label: 'Carrier set', value: mail.carried ? 'Yes' : 'No' },
          ]}
        />
      )}
    </FoldPanel>
  )
}

function formatMailCount(count: number): string {
  return count >= MOST_MAILS ? `${formatNumber(MOST_MAILS)} or more` : formatNumber(count)
}

function SelfChecks({ health }: PlatformProps) {
  const failed = health?.checks.filter(({ ok }) => !ok).length ?? 0
  return (
    <TablePanel
      title="Self-checks"
      fold={{
        gist: health && `${health.checks.length - failed} of ${health.checks.length} without a problem.`,
        isInOrder: failed === 0,
      }}
      columns={[
        { key: 'name', header: 'Check', narrow: 'line', cell: ({ name }) => toCapitalised(checkWords(name)) },
        {
          key: 'ok',
          header: 'Result',
          narrow: 'start',
          cell: ({ ok, finding }) =>
            ok ? <Status status="approved" label="No problem" /> : (finding ?? 'Problem without details'),
        },
        {
          key: 'at',
          header: 'Last run',
          align: 'end',
          narrow: 'end',
          cell: ({ at }) => <TableDate at={at} />,
        },
      ]}
      rows={health?.checks.toSorted((a, b) => Number(a.ok) - Number(b.ok))}
      rowKey={({ name }) => name}
      emptyText="No self-check has run yet."
      skeletonRows={4}
    />
  )
}

function CronAndPrices({ health }: PlatformProps) {
  const work = health?.cron.work.toSorted(
    (a, b) => Number(b.failedSince !== null) - Number(a.failedSince !== null),
  )
  return (
    <TablePanel
      title="Cron and prices"
      caption="Cron jobs"
      fold={{
        gist: work && (
          <span>
            <span>{`${work.filter(({ failedSince }) => failedSince === null).length} of ${work.length} jobs work.`}</span>{' '}
            Last run <span>{health?.cron.at ? <DateTime at={health.cron.at} /> : 'never'}</span>.
          </span>
        ),
        isInOrder: !health || (health.cron.at !== null && work?.[0]?.failedSince == null),
      }}
      columns={[
        { key: 'name', header: 'Job', narrow: 'line', cell: ({ name }) => describeCronJob(name) },
        {
          key: 'state',
          header: 'State',
          narrow: 'start',
          cell: ({ failedSince, error, longestMs }) =>
            failedSince === null ? (
              <span>
                <Status status="approved" label="OK" />{' '}
                <span className="small soft">{(longestMs / 1000).toFixed(1)} s at most</span>
              </span>
            ) : (
              <strong>
                Failing since <TableDate at={failedSince} />: <span>{error}</span>
              </strong>
            ),
        },
        {
          key: 'at',
          header: 'Last recorded',
          align: 'end',
          narrow: 'end',
          cell: ({ at }) => <TableDate at={at} />,
        },
      ]}
      rows={work}
      rowKey={({ name }) => name}
      emptyText="The cron has not run yet."
      skeletonRows={6}
    >
      {health && (
        <Facts
          facts={[
            {
              label: 'Last cron run',
              value: health.cron.at ? <DateTime at={health.cron.at} /> : 'Never',
            },
            ...health.market.map(({ name, source, at }) => ({
              label: name === 'coins' ? 'Latest prices' : 'Latest trending coins',
              value: (
                <span>
                  <DateTime at={at} />, from {source}
                </span>
              ),
            })),
          ]}
        />
      )}
    </TablePanel>
  )
}

type FailedSignInCounts = ReturnType<typeof countFailedSignIns>

/** Failed sign-ins: how many, when and why, but not whose. */
function SignIns({ health }: PlatformProps) {
  const failed = health && countFailedSignIns(health.at, health.signIns.hours)
  const locked = health?.signIns.locked
  return (
    <div id="sign-ins" className={styles.signIns}>
      <FoldPanel
        title="Failed sign-ins"
        gist={
          failed &&
          `${formatNumber(failed.day)} in the last 24 hours. Accounts locked now: ${formatNumber(locked?.accounts ?? 0)}.`
        }
        isInOrder={!locked || locked.accounts + locked.addresses === 0}
      >
        <Tiles>
          <Tile label="Last 24 hours" count={failed?.day} />
          <Tile label="Last 7 days" count={failed?.week} />
          <Tile
            label="Accounts locked now"
            count={locked?.accounts}
            hint={
              locked &&
              `Ten failures in 15 minutes lock an account, 30 lock a network address. Addresses locked now: ${locked.addresses}.`
            }
          />
        </Tiles>
        {failed === undefined ? <Skeleton width="full" height="block" /> : <FailedSignIns failed={failed} />}
      </FoldPanel>
    </div>
  )
}

function FailedSignIns({ failed: { hours, day, causes } }: { failed: FailedSignInCounts }) {
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

/** A bar chart by hour. The table below has the numbers. */
function Bars({ hours }: { hours: FailedSignInCounts['hours'] }) {
  const most = Math.max(...hours.map(({ count }) => count))
  const step = WIDTH / hours.length
  return (
    <figure className={styles.figure}>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        className={styles.bars}
        role="img"
        aria-label={`Failed sign-ins in the last 24 hours, at most ${most} an hour`}
      >
        {hours.map(({ at, count }, n) => {
          // Even one failure must be visible.
          const height = count === 0 ? 0 : Math.max(2, (count / most) * HEIGHT)
          return <rect key={at} x={n * step} y={HEIGHT - height} width={step - GAP} height={height} />
        })}
      </svg>
      <figcaption className="small soft">
        Each hour since <DateTime at={hours[0]?.at ?? ''} />. Highest: {most}.
      </figcaption>
    </figure>
  )
}

const causeColumns: readonly Column<FailedSignInCounts['causes'][number]>[] = [
  { key: 'cause', header: 'Cause', cell: ({ cause }) => cause },
  { key: 'day', header: '24 hours', align: 'end', cell: ({ day }) => formatNumber(day) },
  { key: 'week', header: '7 days', align: 'end', cell: ({ week }) => formatNumber(week) },
]

const hourColumns: readonly Column<FailedSignInCounts['hours'][number]>[] = [
  { key: 'at', header: 'Hour beginning', cell: ({ at }) => <TableDate at={at} /> },
  { key: 'count', header: 'Failed', align: 'end', cell: ({ count }) => formatNumber(count) },
]
