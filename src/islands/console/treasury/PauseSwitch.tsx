import { useState } from 'react'
import { propose } from '../../../contract/console/proposalBodies.ts'
import { type OperatorTreasury, pausePayouts } from '../../../contract/console/treasury.ts'
import { DateTime } from '../../../design/DateTime.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { describeNothingDone, OutcomeNotice, type OutcomeWords } from '../cases/Case.tsx'
import { Decide } from '../cases/Decide.tsx'
import { ReasonForm } from '../cases/ReasonForm.tsx'

interface PauseSwitchProps {
  pause: OperatorTreasury['pause']
  onChanged: () => void
}

/** One operator pauses all payouts at once. Resuming takes two administrators. */
export function PauseSwitch({ pause, onChanged }: PauseSwitchProps) {
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
        <p>Payouts go on.</p>
      ) : (
        <Notice tone="danger" title="Payouts are paused">
          <bdi>{pause.by.name}</bdi> paused them, <DateTime at={pause.since} />. <bdi>{pause.reason}</bdi>{' '}
          Investors can still request withdrawals. They see that payouts are paused.
        </Notice>
      )}
      {outcome !== null && <OutcomeNotice {...outcome} />}
      <Decide
        key={pause === null ? 'going on' : 'paused'}
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
                      handleDone({ tone: 'success', title: 'Paused', text: 'No payout leaves from now on.' })
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
                    consequence="Payouts go on once another administrator approves."
                    confirmLabel="Propose to resume payouts"
                    onDecided={() =>
                      handleDone({
                        tone: 'success',
                        title: 'Proposed',
                        text: 'Another administrator has to approve it under Proposals.',
                      })
                    }
                    onCancel={onCancel}
                  />
                ),
              },
        ]}
      />
    </Panel>
  )
}
