import { useState } from 'react'
import type { OperatorStrategy } from '../../../contract/console/strategies.ts'
import { ButtonLink } from '../../../design/ButtonLink.tsx'
import { DateTime } from '../../../design/DateTime.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { CaseFrame } from '../cases/Case.tsx'
import { CaseMissing } from '../cases/CaseMissing.tsx'
import { type Choice, Decide } from '../cases/Decide.tsx'
import { Said, type SaidProps } from '../cases/Said.tsx'
import { ProposeForm } from './ProposeForm.tsx'
import { StrategyFacts } from './StrategyFacts.tsx'
import { SuspendForm } from './SuspendForm.tsx'
import { aftermath, endedBy, notProposable, notResumable } from './words.ts'

export interface StrategyCaseProps {
  listed: OperatorStrategy | undefined
  isListLoading: boolean
  onChanged: (strategy: OperatorStrategy) => void
  onOvertaken: () => void
}

/** One strategy: how it stands, suspending it, which one does at once, and resuming it, which takes two. */
export function StrategyCase({ listed, isListLoading, ...props }: StrategyCaseProps) {
  const [said, setSaid] = useState<SaidProps | null>(null)
  if (listed === undefined) return <CaseMissing what="strategy" isListLoading={isListLoading} />
  const overtaken = (text: string) => {
    setSaid({ tone: 'caution', title: 'Nothing was done', text })
    props.onOvertaken()
  }
  const suspended = (strategy: OperatorStrategy) => {
    setSaid({
      tone: 'success',
      title: 'Suspended',
      text: 'It takes no new money, and is sold at its next open. Its investors are told within minutes.',
    })
    props.onChanged(strategy)
  }
  const proposed = () => {
    setSaid({
      tone: 'success',
      title: 'Proposed',
      text: 'Another operator decides. It stays suspended until then.',
    })
    props.onOvertaken()
  }
  return (
    <CaseFrame>
      {said !== null && <Said {...said} />}
      {listed.status !== 'active' && <Ended strategy={listed} />}
      {listed.lacking !== null && (
        <Notice tone="caution" title="Daily bars that have closed are missing">
          Since <DateTime at={listed.lacking.since} />. {listed.lacking.finding ?? ''} It goes on by itself
          once they are here.
        </Notice>
      )}
      <StrategyFacts strategy={listed} />
      {said === null && (
        <Decide
          choices={choicesOf(listed, {
            onSuspended: suspended,
            onProposed: proposed,
            onOvertaken: overtaken,
          })}
        />
      )}
    </CaseFrame>
  )
}

interface Ends {
  onSuspended: (strategy: OperatorStrategy) => void
  onProposed: () => void
  onOvertaken: (msg: string) => void
}

function choicesOf(strategy: OperatorStrategy, ends: Ends): readonly Choice[] {
  switch (strategy.status) {
    case 'active':
      return [
        {
          label: 'Suspend it',
          scope: 'operator:strategies.suspend',
          variant: 'danger',
          panel: (onCancel) => <SuspendForm strategy={strategy} onCancel={onCancel} {...ends} />,
        },
      ]
    case 'suspended':
      return [
        {
          label: 'Propose resuming it',
          scope: 'operator:proposals.write',
          closed: notResumable(strategy),
          panel: (onCancel) => (
            <ProposeForm strategy={strategy} action="resume" onCancel={onCancel} {...ends} />
          ),
        },
        {
          label: 'Propose stopping it for good',
          scope: 'operator:proposals.write',
          closed: notProposable(strategy),
          panel: (onCancel) => (
            <ProposeForm strategy={strategy} action="stop" onCancel={onCancel} {...ends} />
          ),
        },
      ]
    case 'stopped':
      return []
  }
}

/** Why it is out of the market, and what is proposed about it. */
function Ended({ strategy }: { strategy: OperatorStrategy }) {
  const { since, reason, proposed } = strategy
  return (
    <Notice
      tone="caution"
      title={endedBy(strategy)}
      actions={
        proposed !== null && (
          <ButtonLink href={`/operator/proposals?open=${proposed._id}`} size="small">
            See the proposal
          </ButtonLink>
        )
      }
    >
      <DateTime at={since} />. {reason}
      <p>{aftermath(strategy)}</p>
      {proposed !== null && (
        <p>
          {proposed.by.name} proposed to {proposed.action === 'stop' ? 'stop it for good' : 'resume it'},{' '}
          <DateTime at={proposed.at} />. Another operator decides.
        </p>
      )}
    </Notice>
  )
}
