import { listPlans, type Plan } from '../../../contract/investing/plans.ts'
import { Button } from '../../../design/Button.tsx'
import { DateTime } from '../../../design/DateTime.tsx'
import { EmptyState } from '../../../design/EmptyState.tsx'
import { withErrorBoundary } from '../../../design/ErrorBoundary.tsx'
import { Money } from '../../../design/Money.tsx'
import { PageHeading } from '../../../design/PageHeading.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { type Column, Pagination, Table } from '../../../design/Table.tsx'
import { usePages } from '../../lib/pages.ts'
import { popSearchParams, setSearchParams, useSearchParams } from '../../lib/url.ts'
import { NewPlan } from './NewPlan.tsx'
import { OnePlan } from './OnePlan.tsx'
import { PlanStatus } from './PlanStatus.tsx'
import styles from './Plans.module.css'
import { describeOwnPlan } from './words.ts'

/** /dashboard/plans: plans that invest, withdraw or remind on dates. */
export const Plans = withErrorBoundary(Screen, '/dashboard/overview')

function Screen() {
  const words = useSearchParams()
  const { data, reload, ...paging } = usePages(listPlans)
  const id = words?.get('plan') ?? null
  if (id !== null)
    return <OnePlan key={id} id={id} onBack={() => popSearchParams({ plan: null })} onChanged={reload} />
  const isNew = words?.has('new') === true
  return (
    <div className={styles.screen}>
      <PageHeading
        title="Recurring plans"
        lead="Invest, withdraw or be reminded to deposit, on dates that you choose."
        actions={
          isNew ? (
            <Button onClick={() => popSearchParams({ new: null, strategy: null })}>All plans</Button>
          ) : (
            <Button variant="primary" onClick={() => setSearchParams({ new: 'yes' }, 'push')}>
              New plan
            </Button>
          )
        }
      />
      {isNew ? (
        <NewPlan
          kind={words?.get('new') ?? ''}
          from={words?.get('strategy') ?? null}
          onMade={({ _id }) => {
            reload()
            setSearchParams({ new: null, strategy: null, plan: _id })
            scrollTo({ top: 0, behavior: 'instant' })
          }}
        />
      ) : (
        <Panel>
          {data.state === 'ready' && data.rows.length === 0 ? (
            <NoPlans />
          ) : (
            <Table
              caption="Your recurring plans"
              columns={COLUMNS}
              data={data}
              rowKey={({ _id }) => _id}
              skeletonRows={2}
              emptyText="No recurring plans yet."
              onRetry={reload}
              onOpen={({ _id }) => {
                setSearchParams({ plan: _id }, 'push')
                scrollTo({ top: 0, behavior: 'instant' })
              }}
              footer={<Pagination {...paging} />}
            />
          )}
        </Panel>
      )}
    </div>
  )
}

function NoPlans() {
  return (
    <EmptyState title="No recurring plans yet">
      A plan invests or withdraws an amount on its dates. Each date is announced a day before, and you can
      skip it, pause the plan or end it at any time.
    </EmptyState>
  )
}

const COLUMNS: readonly Column<Plan>[] = [
  {
    key: 'plan',
    header: 'Plan',
    narrow: 'line',
    lines: 2,
    usually: 'long',
    cell: (plan) => <span>{describeOwnPlan(plan)}</span>,
    below: ({ destination }) =>
      destination !== null && (
        <span translate="no" className={styles.below}>
          {destination}
        </span>
      ),
  },
  {
    key: 'next',
    header: 'Next date',
    narrow: 'start',
    label: true,
    cell: (plan) => <NextDate plan={plan} />,
  },
  {
    key: 'announced',
    header: 'Announced',
    narrow: 'end',
    label: true,
    align: 'end',
    cell: ({ announced, status }) => {
      if (announced?.announced !== null && announced?.announced !== undefined)
        return <Money value={announced.announced} />
      return <span className="soft">{status === 'active' ? 'not yet' : '–'}</span>
    },
  },
  {
    key: 'status',
    header: 'State',
    narrow: 'line',
    lines: 2,
    cell: (plan) => <PlanStatus plan={plan} />,
  },
]

function NextDate({ plan: { announced, next, zone } }: { plan: Plan }) {
  const first = announced ?? next[0]
  return first ? <DateTime at={first.at} timeZone={zone} show="date" /> : <span className="soft">None</span>
}
