import { useState } from 'react'
import { propose } from '../../../contract/console/proposalBodies.ts'
import { type OperatorTreasury, pausePayouts } from '../../../contract/console/treasury.ts'
import { DateTime } from '../../../design/DateTime.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { describeNothingDone, OutcomeNotice, type OutcomeWords } from '../cases/Case.tsx'
import { Decide } from '../cases/Decide.tsx'
import { describeProposed, ReasonForm } from '../cases/ReasonForm.tsx'

interface PauseSwitchProps {
  pause: OperatorTreasury['pause']
  /** The proposal to resume them, while it waits. */
  resumption: OperatorTreasury['waiting'][number] | undefined
  onChanged: () => void
}

/** One operator pauses all payouts at once. Resuming takes two administrators. */
export function PauseSwitch({ pause, resumption, onChanged }: PauseSwitchProps) {
  const [outcome, setOutcome] = useState<OutcomeWords | null>(null)
  const handleDone = (words: OutcomeWords) => {
    setOutcome(words)
    onChanged()
  }
  const common = {
    row: { _id: '' },
    hint: 'Other operators can read it.',
    onOvertaken: (msg: string) => handleDone(describeNothingDone(msg)),
  }
  return (
    <Panel title="Payouts">
      {pause === null ? (
        <p>Payouts are running.</p>
      ) : (
        <Notice tone="danger" title="Payouts are paused">
          <bdi>{pause.by.name}</bdi> paused them, <DateTime at={pause.since} />. <bdi>{pause.reason}</bdi>{' '}
          Investors can still request withdrawals. They see that payouts are paused.
        </Notice>
      )}
      {resumption && outcome?.title !== 'Proposed' && (
        <Notice title="Resuming them is proposed">
          <bdi>{resumption.by.name}</bdi> proposed it, <DateTime at={resumption.createdAt} />. Another
          administrator has to approve{' '}
          <a href={`/operator/proposals?open=${encodeURIComponent(resumption._id)}`}>the proposal</a>. Until
          then no payout leaves.
        </Notice>
      )}
      {outcome !== null && <OutcomeNotice {...outcome} />}
      {resumption === undefined && (
        <Decide
          key={pause === null ? 'going on' : 'paused'}
          isReady
          choices={[
            pause === null
              ? {
                  label: 'Pause payouts',
                  scope: 'operator:treasury.pause',
                  variant: 'danger',
                  panel: (onCancel) => (
                    <ReasonForm
                      {...common}
                      endpoint={pausePayouts}
                      consequence="From now on nobody can approve, pay, build or release a payout. Investors see that payouts are paused. Resuming takes two administrators."
                      confirmLabel="Pause payouts"
                      onDecided={() =>
                        handleDone({
                          tone: 'success',
                          title: 'Paused',
                          text: 'No payout leaves from now on.',
                        })
                      }
                      onCancel={onCancel}
                    />
                  ),
                }
              : {
                  label: 'Propose to resume payouts',
                  scope: 'operator:settings.write',
                  panel: (onCancel) => (
                    <ReasonForm
                      {...common}
                      endpoint={propose}
                      body={{ kind: 'payout_resumption' }}
                      what="Resuming payouts"
                      variant="primary"
                      consequence="Payouts resume once another administrator approves."
                      confirmLabel="Propose to resume payouts"
                      onDecided={(proposal) =>
                        handleDone(
                          describeProposed(
                            proposal,
                            'Another administrator has to approve it. Until then no payout leaves.',
                          ),
                        )
                      }
                      onCancel={onCancel}
                    />
                  ),
                },
          ]}
        />
      )}
    </Panel>
  )
}
