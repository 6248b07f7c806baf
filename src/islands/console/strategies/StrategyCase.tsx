import { lazy, Suspense, useState } from 'react'
import { propose } from '../../../contract/console/proposalBodies.ts'
import type { StrategyAction } from '../../../contract/console/proposals.ts'
import type { Settings } from '../../../contract/console/settingValues.ts'
import {
  MOST_COUNTED_IN_STRATEGY,
  type OperatorStrategy,
  suspendStrategy,
} from '../../../contract/console/strategies.ts'
import { formatNumber } from '../../../contract/numbers.ts'
import { ButtonLink } from '../../../design/Button.tsx'
import { DateTime } from '../../../design/DateTime.tsx'
import { Facts } from '../../../design/Facts.tsx'
import { Money } from '../../../design/Money.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { Skeleton } from '../../../design/Skeleton.tsx'
import { Status } from '../../../design/Status.tsx'
import { describeMarket } from '../../investing/strategies/positions.tsx'
import { getData } from '../../lib/resource.ts'
import {
  CaseFrame,
  CaseMissing,
  describeNothingDone,
  OutcomeNotice,
  type OutcomeWords,
} from '../cases/Case.tsx'
import { type Choice, Decide } from '../cases/Decide.tsx'
import { ReasonForm } from '../cases/ReasonForm.tsx'
import { useSettings } from '../cases/useSettings.ts'
import {
  describeAftermath,
  describeBand,
  describeDrawdown,
  describeEnding,
  describePendingOrders,
  describeProposalObstacle,
  describeResumeObstacle,
  describeStrategyStatus,
  RESUMING,
  STOPPING,
  SUSPENDING,
} from './words.ts'

const Gaps = lazy(async () => ({ default: (await import('./Gaps.tsx')).Gaps }))

export interface StrategyCaseProps {
  listed: OperatorStrategy | undefined
  isListLoading: boolean
  onChanged: (strategy: OperatorStrategy) => void
  onOvertaken: () => void
}

/** One strategy. One operator can suspend it at once; resuming and stopping it take two. */
export function StrategyCase({ listed, isListLoading, ...props }: StrategyCaseProps) {
  const [outcome, setOutcome] = useState<OutcomeWords | null>(null)
  const settings = getData(useSettings()) ?? null
  if (listed === undefined) return <CaseMissing what="strategy" isListLoading={isListLoading} />
  const choices = listStrategyChoices(listed, settings, {
    onSuspended: (strategy) => {
      setOutcome({
        tone: 'success',
        title: 'Suspended',
        text: 'It takes no new money, and its holdings are sold at its next open. Its investors get a mail within minutes.',
      })
      props.onChanged(strategy)
    },
    onProposed: () => {
      setOutcome({
        tone: 'success',
        title: 'Proposed',
        text: 'The strategy stays suspended until another operator decides.',
      })
      props.onOvertaken()
    },
    onOvertaken: (msg) => {
      setOutcome(describeNothingDone(msg))
      props.onOvertaken()
    },
  })
  return (
    <CaseFrame>
      {outcome !== null && <OutcomeNotice {...outcome} />}
      {listed.status !== 'active' && <Ended strategy={listed} />}
      {listed.lacking !== null && (
        <Notice tone="caution" title="Closed daily bars are missing">
          Since <DateTime at={listed.lacking.since} />. <span>{listed.lacking.finding ?? ''}</span> The
          strategy continues automatically when they arrive.
        </Notice>
      )}
      <StrategyFacts strategy={listed} />
      {outcome === null && <Decide choices={choices} />}
      <section aria-label="Live against its test">
        <h3>Live against its test</h3>
        <Suspense fallback={<Skeleton width="full" height="block" />}>
          <Gaps strategy={listed._id} />
        </Suspense>
      </section>
    </CaseFrame>
  )
}

function listStrategyChoices(
  strategy: OperatorStrategy,
  settings: Settings | null,
  handlers: {
    onSuspended: (strategy: OperatorStrategy) => void
    onProposed: () => void
    onOvertaken: (msg: string) => void
  },
): readonly Choice[] {
  const { onSuspended, onProposed, onOvertaken } = handlers
  const { name, status } = strategy
  const props = { row: strategy, onOvertaken }
  const buildProposalProps = (action: StrategyAction) => ({
    ...props,
    endpoint: propose,
    body: { kind: 'strategy', strategy: strategy._id, action },
    confirmLabel: `Propose to ${action} ${name}`,
    onDecided: onProposed,
  })
  switch (status) {
    case 'active':
      return [
        {
          key: 's',
          label: 'Suspend strategy',
          scope: 'operator:strategies.suspend',
          variant: 'danger',
          panel: (onCancel) => (
            <ReasonForm
              {...props}
              endpoint={suspendStrategy}
              settings={settings}
              kind="suspension"
              told="the investors"
              hint="Investors read it in a mail, and everyone on the strategy’s public page."
              consequence={
                <>
                  <p>
                    <strong>{name}</strong> is suspended at once. {SUSPENDING}
                  </p>
                  <p>Resuming it takes two operators.</p>
                </>
              }
              confirmLabel={`Suspend ${name}`}
              onDecided={onSuspended}
              onCancel={onCancel}
            />
          ),
        },
      ]
    case 'suspended':
      return [
        {
          key: 'a',
          label: 'Propose to resume',
          scope: 'operator:proposals.write',
          closed: describeResumeObstacle(strategy),
          panel: (onCancel) => (
            <ReasonForm
              {...buildProposalProps('resume')}
              what={`Resuming ${name}`}
              label="Internal note"
              hint="Why the cause of the suspension is over. Only operators read it."
              consequence={
                <p>
                  <strong>{name}</strong> would be resumed. {RESUMING}
                </p>
              }
              variant="primary"
              onCancel={onCancel}
            />
          ),
        },
        {
          key: 'e',
          label: 'Propose to stop for good',
          scope: 'operator:proposals.write',
          closed: describeProposalObstacle(strategy),
          panel: (onCancel) => (
            <ReasonForm
              {...buildProposalProps('stop')}
              what={`Stopping ${name}`}
              label="Message to the investors"
              hint="Investors read it in a mail, and everyone on the strategy’s public page, once another operator approves it."
              consequence={
                <p>
                  <strong>{name}</strong> would be stopped for good. {STOPPING}
                </p>
              }
              onCancel={onCancel}
            />
          ),
        },
      ]
    case 'stopped':
      return []
  }
}

/** Why the strategy does not trade, and the pending proposal. */
function Ended({ strategy }: { strategy: OperatorStrategy }) {
  const { since, reason, note, proposed } = strategy
  return (
    <Notice
      tone="caution"
      title={describeEnding(strategy)}
      actions={
        proposed !== null && (
          <ButtonLink href={`/operator/proposals?open=${proposed._id}`} size="small">
            See the proposal
          </ButtonLink>
        )
      }
    >
      <DateTime at={since} />. <span>{reason}</span>
      {note !== null && <p>Internal note: {note}</p>}
      <p>{describeAftermath(strategy)}</p>
      {proposed !== null && (
        <p>
          <bdi>{proposed.by.name}</bdi> proposed to{' '}
          <span>{proposed.action === 'stop' ? 'stop it for good' : 'resume it'}</span>,{' '}
          <DateTime at={proposed.at} />. Another operator has to decide.
        </p>
      )}
    </Notice>
  )
}

function StrategyFacts({ strategy }: { strategy: OperatorStrategy }) {
  const { unitPrice, netValue, units, cash, investors, lastStep, lastStepAt, fees, market } = strategy
  // The rules no longer apply to a stopped strategy.
  const isStopped = strategy.status === 'stopped'
  const [drawdown, band] = isStopped ? [null, null] : [describeDrawdown(strategy), describeBand(strategy)]
  return (
    <Facts
      facts={[
        { label: 'Status', value: <Status {...describeStrategyStatus(strategy)} /> },
        strategy.status === 'active' &&
          strategy.since !== strategy.startedAt && {
            label: 'Resumed',
            value: <DateTime at={strategy.since} />,
          },
        netValue !== null && { label: 'Pool', value: <Money value={netValue} /> },
        { label: 'Cash in the pool', value: <Money value={cash} /> },
        unitPrice !== null && { label: 'Unit price', value: <Money value={unitPrice} /> },
        { label: 'Units', value: formatNumber(units, 6) },
        {
          label: 'Investors',
          value: investors < MOST_COUNTED_IN_STRATEGY ? investors : `${investors} or more`,
        },
        { label: 'Orders waiting', value: describePendingOrders(strategy) },
        drawdown !== null && { label: 'Drawdown', value: drawdown },
        band !== null && { label: 'Band of its test', value: band },
        {
          label: 'Last step',
          value:
            lastStep === null || lastStepAt === null ? (
              'None yet'
            ) : (
              <span>
                {lastStep}, done <DateTime at={lastStepAt} />
                <span>{strategy.behind && '. The next one is late'}</span>
              </span>
            ),
        },
        { label: 'Fees, last 365 days', value: <Money value={fees} /> },
        { label: 'Market', value: describeMarket(market) },
        { label: 'Started', value: <DateTime at={strategy.startedAt} /> },
        { label: 'Hash of its rules', value: <code translate="no">{strategy.hash}</code> },
      ]}
    />
  )
}
