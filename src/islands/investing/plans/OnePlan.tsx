import { useState } from 'react'
import {
  endPlan,
  getPlan,
  type Plan,
  type PlanDetail,
  type PlanRun,
  pausePlan,
  resumePlan,
  skipPlan,
} from '../../../contract/investing/plans.ts'
import { listStrategies } from '../../../contract/investing/strategies.ts'
import { Button } from '../../../design/Button.tsx'
import { DateTime } from '../../../design/DateTime.tsx'
import { Facts } from '../../../design/Facts.tsx'
import { Form } from '../../../design/Form.tsx'
import { Modal } from '../../../design/Modal.tsx'
import { Money } from '../../../design/Money.tsx'
import { PageHeading } from '../../../design/PageHeading.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { Skeleton } from '../../../design/Skeleton.tsx'
import { Status } from '../../../design/Status.tsx'
import { type Column, Table } from '../../../design/Table.tsx'
import { toast } from '../../../design/toasts.ts'
import { useAction } from '../../lib/action.ts'
import { call } from '../../lib/api.ts'
import { Loaded, Waiting } from '../../lib/Loaded.tsx'
import { useResource } from '../../lib/resource.ts'
import { useStepUpForm } from '../../money/withdrawals/stepUp.ts'
import { RiskLine } from '../RiskLine.tsx'
import { ChangePlan } from './ChangePlan.tsx'
import { Outlook } from './Outlook.tsx'
import { PlanProof } from './PlanProof.tsx'
import { PlanStatus } from './PlanStatus.tsx'
import styles from './Plans.module.css'
import { describeOwnPlan, describeRun, getTarget, RUN_LOOKS } from './words.ts'

interface OnePlanProps {
  id: string
  onBack: () => void
  /** Reloads the list. */
  onChanged: () => void
}

/** One plan: its next dates, its actions, and its past dates. */
export function OnePlan({ id, onBack, onChanged }: OnePlanProps) {
  const resource = useResource(`plan ${id}`, () => call(getPlan, { params: { id }, quiet: true }))
  return (
    <div className={styles.screen}>
      <Button className={styles.back} onClick={onBack}>
        All plans
      </Button>
      <Loaded
        resource={resource}
        waiting={
          <Waiting label="Loading the plan">
            <Skeleton width="long" />
            <Skeleton height="block" />
          </Waiting>
        }
      >
        {(plan) => (
          <Details
            plan={plan}
            onChanged={() => {
              resource.reload()
              onChanged()
            }}
          />
        )}
      </Loaded>
    </div>
  )
}

interface DetailsProps {
  plan: PlanDetail
  onChanged: () => void
}

function Details({ plan, onChanged }: DetailsProps) {
  return (
    <>
      <PageHeading title={describeOwnPlan(plan)} />
      <Panel title="The plan">
        <div className="stack">
          <Facts
            facts={[
              { label: 'State', value: <PlanStatus plan={plan} /> },
              plan.destination !== null && {
                label: 'Destination',
                value: (
                  <span translate="no" className={styles.sentence}>
                    {plan.destination}
                  </span>
                ),
              },
              plan.redeemFromName !== null && {
                label: 'If too little is available',
                value: `Redeem what is missing from ${plan.redeemFromName}`,
              },
              plan.announced !== null && {
                label: 'Announced',
                value: (
                  <span>
                    <DateTime at={plan.announced.at} timeZone={plan.zone} />
                    {plan.announced.announced !== null && (
                      <span>
                        , at most <Money value={plan.announced.announced} />
                      </span>
                    )}
                  </span>
                ),
              },
              plan.next.length > 0 && { label: 'Next dates', value: <NextDates plan={plan} /> },
              { label: 'Time zone', value: <span translate="no">{plan.zone}</span> },
              { label: 'Made', value: <DateTime at={plan.createdAt} show="date" /> },
            ]}
          />
          {plan.status === 'paused' && <Resume plan={plan} onChanged={onChanged} />}
          {plan.status !== 'ended' && <Actions plan={plan} onChanged={onChanged} />}
        </div>
      </Panel>
      {plan.kind === 'invest' && plan.status !== 'ended' && (
        <Panel title="What it could be worth">
          <PlanOutlook plan={plan} />
          <RiskLine />
        </Panel>
      )}
      <Panel title="Dates so far">
        <Table
          caption="Dates of this plan, newest first"
          columns={RUN_COLUMNS}
          data={{ state: 'ready', rows: plan.runs }}
          rowKey={({ on }) => on}
          emptyText="No date was announced yet."
        />
      </Panel>
    </>
  )
}

function NextDates({ plan: { next, zone } }: { plan: Plan }) {
  return (
    <ul className={styles.dates}>
      {next.map(({ on, at }) => (
        <li key={on}>
          <DateTime at={at} timeZone={zone} />
        </li>
      ))}
    </ul>
  )
}

function Actions({ plan, onChanged }: DetailsProps) {
  const [asks, setAsks] = useState<'change' | 'end' | null>(null)
  const next = plan.announced ?? plan.next[0]
  const params = { id: plan._id }
  // Also after a refusal: the plan is then not as this screen shows it.
  const run = async (act: () => Promise<{ msg: string }>) => {
    try {
      toast.success((await act()).msg)
      setAsks(null)
    } finally {
      onChanged()
    }
  }
  const pause = useAction(() => run(() => call(pausePlan, { params })))
  const skip = useAction((on: string) => run(() => call(skipPlan, { params, body: { on } })))
  const end = useAction(() => run(() => call(endPlan, { params })))
  return (
    <>
      <div className="row">
        <Button onClick={() => setAsks('change')} aria-haspopup="dialog">
          Change
        </Button>
        {next && (
          <Button busy={skip.busy} onClick={() => skip.start(next.on)}>
            <span>
              Skip <DateTime at={next.at} timeZone={plan.zone} show="date" />
            </span>
          </Button>
        )}
        {plan.status === 'active' && (
          <Button busy={pause.busy} onClick={pause.start}>
            Pause
          </Button>
        )}
        <Button onClick={() => setAsks('end')} aria-haspopup="dialog">
          End plan
        </Button>
      </div>
      <Modal open={asks === 'change'} onClose={() => setAsks(null)} title="Change this plan">
        <ChangePlan
          plan={plan}
          onChanged={(msg) => {
            toast.success(msg)
            setAsks(null)
            onChanged()
          }}
        />
      </Modal>
      <Modal
        open={asks === 'end'}
        onClose={() => setAsks(null)}
        title="End this plan?"
        actions={
          <>
            <Button variant="danger" busy={end.busy} onClick={end.start}>
              End It For Good
            </Button>
            <Button variant="quiet" onClick={() => setAsks(null)}>
              Keep it
            </Button>
          </>
        }
      >
        <p>
          It cannot be resumed. An announced date is cancelled. Orders and withdrawals that it already placed
          go on; you can cancel them in your Transaction History.
        </p>
      </Modal>
    </>
  )
}

function Resume({ plan, onChanged }: DetailsProps) {
  const { shell, stepUp } = useStepUpForm({
    endpoint: resumePlan,
    params: { id: plan._id },
    failures: 'form',
    onDone: ({ msg }) => {
      toast.success(msg)
      onChanged()
    },
  })
  return (
    <>
      <Form {...shell} label="Resume" submitLabel="Resume">
        <p>
          It goes on with its next date. Dates that passed meanwhile are left out.{' '}
          <span>{plan.kind === 'withdraw' && 'We ask you to confirm it again.'}</span>
        </p>
        {plan.kind !== 'withdraw' && <RiskLine brief />}
      </Form>
      <PlanProof stepUp={stepUp} plan={plan} destination={getTarget(plan)} />
    </>
  )
}

function PlanOutlook({ plan }: { plan: Plan }) {
  const strategies = useResource('strategies', () => call(listStrategies, { quiet: true }))
  return (
    <Loaded
      resource={strategies}
      waiting={
        <Waiting label="Loading">
          <Skeleton width="full" height="block" />
        </Waiting>
      }
    >
      {(loaded) => {
        const strategy = loaded.find(({ slug }) => slug === plan.strategy)
        return strategy ? (
          <Outlook strategy={strategy} schedule={plan} amount={plan.amount} />
        ) : (
          <p>{getTarget(plan)} is no longer listed.</p>
        )
      }}
    </Loaded>
  )
}

const RUN_COLUMNS: readonly Column<PlanRun>[] = [
  {
    key: 'on',
    header: 'Date',
    narrow: 'start',
    cell: ({ on }) => <DateTime at={on} show="date" timeZone="UTC" />,
  },
  {
    key: 'amount',
    header: 'Amount',
    align: 'end',
    narrow: 'end',
    cell: ({ amount, announced }) => {
      const usd = amount ?? announced
      return usd === null ? '–' : <Money value={usd} />
    },
  },
  {
    key: 'outcome',
    header: 'Outcome',
    narrow: 'short-start',
    lines: 2,
    cell: (run) => (
      <span>
        <Status
          status={run.redemption === 'pending' ? 'pending' : RUN_LOOKS[run.status]}
          label={describeRun(run)}
        />
        {run.reason !== null && (
          <span className={styles.reason}>
            <bdi>{run.reason}</bdi>
          </span>
        )}
      </span>
    ),
  },
  {
    key: 'ref',
    header: 'Order or withdrawal',
    narrow: 'wide-end',
    cell: ({ ref }) =>
      ref === null ? (
        ''
      ) : (
        <a translate="no" href={`/dashboard/transaction-history?open=${ref}`}>
          {ref}
        </a>
      ),
  },
]
