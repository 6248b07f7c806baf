import { MOST_MAILS, type OperatorHealth } from '../../../contract/console/health.ts'
import { DateTime } from '../../../design/DateTime.tsx'
import { Facts } from '../../../design/Facts.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { Skeleton } from '../../../design/Skeleton.tsx'
import { Status } from '../../../design/Status.tsx'
import { rolesInWords } from '../cases/roleWords.ts'
import { TablePanel } from '../cases/TablePanel.tsx'
import { SignIns } from './SignIns.tsx'
import { checkWords, workWords } from './words.ts'

interface PlatformProps {
  /** Undefined while it loads. */
  health: OperatorHealth | undefined
}

/** How the platform itself works: mail, self-checks, cron, prices, sign-ins. */
export function Platform({ health }: PlatformProps) {
  return (
    <>
      <Mail mail={health?.mail} />
      <SelfChecks health={health} />
      <CronAndPrices health={health} />
      <SignIns health={health} />
      <TablePanel
        title="Operators signed in"
        columns={[
          { key: 'name', header: 'Name', cell: ({ name }) => name },
          { key: 'roles', header: 'Roles', cell: ({ roles }) => rolesInWords(roles) },
          { key: 'sessions', header: 'Sessions', align: 'end', cell: ({ sessions }) => sessions },
          {
            key: 'seen',
            header: 'Last seen',
            align: 'end',
            cell: ({ lastSeenAt }) => <DateTime at={lastSeenAt} />,
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

/** Mails that wait to be sent, and why. */
function Mail({ mail }: { mail: OperatorHealth['mail'] | undefined }) {
  return (
    <Panel title="Mail">
      {mail === undefined ? (
        <Skeleton width="full" height="block" />
      ) : (
        <Facts
          facts={[
            { label: 'Waiting', value: counted(mail.waiting) },
            { label: 'The oldest since', value: mail.oldest ? <DateTime at={mail.oldest} /> : 'None waits' },
            {
              label: 'Failed and to be tried again',
              value:
                mail.failing.length === 0
                  ? 'None'
                  : mail.failing.map(({ error, count }) => `${counted(count)}: ${error}`).join('; '),
            },
            { label: 'Carried by something', value: mail.carried ? 'Yes' : 'No' },
          ]}
        />
      )}
    </Panel>
  )
}

function counted(count: number): string {
  return count >= MOST_MAILS ? `${MOST_MAILS.toLocaleString('en-US')} or more` : count.toLocaleString('en-US')
}

function SelfChecks({ health }: PlatformProps) {
  return (
    <TablePanel
      title="Self-checks"
      columns={[
        { key: 'name', header: 'What is compared', cell: ({ name }) => sentenceCase(checkWords(name)) },
        {
          key: 'ok',
          header: 'Found',
          cell: ({ ok, finding }) =>
            ok ? <Status status="approved" label="Nothing wrong" /> : (finding ?? 'Something wrong'),
        },
        { key: 'at', header: 'Last', align: 'end', cell: ({ at }) => <DateTime at={at} /> },
      ]}
      rows={health?.checks}
      rowKey={({ name }) => name}
      emptyText="No self-check has run yet."
      skeletonRows={4}
    />
  )
}

function CronAndPrices({ health }: PlatformProps) {
  return (
    <TablePanel
      title="Cron and prices"
      caption="The cron’s work"
      columns={[
        { key: 'name', header: 'Work', cell: ({ name }) => workWords(name) },
        {
          key: 'state',
          header: 'How it goes',
          cell: ({ failedSince, error, longestMs }) =>
            failedSince === null ? (
              <>
                <Status status="approved" label="Well" />{' '}
                <span className="small soft">{(longestMs / 1000).toFixed(1)} s at most</span>
              </>
            ) : (
              <strong>
                Fails since <DateTime at={failedSince} />: {error}
              </strong>
            ),
        },
        { key: 'at', header: 'Last noted', align: 'end', cell: ({ at }) => <DateTime at={at} /> },
      ]}
      rows={health?.cron.work}
      rowKey={({ name }) => name}
      emptyText="The cron has not run yet."
      skeletonRows={6}
    >
      {health && (
        <Facts
          facts={[
            {
              label: 'The cron last ran',
              value: health.cron.at ? <DateTime at={health.cron.at} /> : 'Never yet',
            },
            ...health.market.map(({ name, source, at }) => ({
              label: name === 'coins' ? 'Prices of' : 'Trending coins of',
              value: (
                <>
                  <DateTime at={at} />, from {source}
                </>
              ),
            })),
          ]}
        />
      )}
    </TablePanel>
  )
}

function sentenceCase(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}
