import type { OperatorHealth } from '../../../contract/console/health.ts'
import { DateTime } from '../../../design/DateTime.tsx'
import { Facts } from '../../../design/Facts.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { Status } from '../../../design/Status.tsx'
import { type Column, Table } from '../../../design/Table.tsx'
import { checkWords, workWords } from './words.ts'

type Piece = OperatorHealth['cron']['work'][number]
type Check = OperatorHealth['checks'][number]

/** What the platform does by itself, and what it found when it checked itself. Undefined while it loads. */
export function Work({ health }: { health: OperatorHealth | undefined }) {
  return (
    <>
      <Panel title="Self-checks">
        <Table
          caption="Self-checks"
          columns={checkColumns}
          data={health ? { state: 'ready', rows: health.checks } : { state: 'loading' }}
          rowKey={({ name }) => name}
          emptyText="No self-check has run yet."
          skeletonRows={4}
        />
      </Panel>
      <Panel title="Cron and prices">
        <Table
          caption="The cron’s work"
          columns={workColumns}
          data={health ? { state: 'ready', rows: health.cron.work } : { state: 'loading' }}
          rowKey={({ name }) => name}
          emptyText="The cron has not run yet."
          skeletonRows={6}
        />
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
      </Panel>
    </>
  )
}

const checkColumns: readonly Column<Check>[] = [
  { key: 'name', header: 'What is compared', cell: ({ name }) => sentenceCase(checkWords(name)) },
  {
    key: 'ok',
    header: 'Found',
    cell: ({ ok, finding }) =>
      ok ? <Status status="approved" label="Nothing wrong" /> : (finding ?? 'Something wrong'),
  },
  { key: 'at', header: 'Last', align: 'end', cell: ({ at }) => <DateTime at={at} /> },
]

const workColumns: readonly Column<Piece>[] = [
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
]

function sentenceCase(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}
