import { useState } from 'react'
import {
  freezeInvestor,
  getInvestor,
  type OperatorInvestor,
  unfreezeInvestor,
} from '../../contract/operator/investors.ts'
import type { Settings } from '../../contract/operator/settings.ts'
import { LoadFailure } from '../../design/LoadFailure.tsx'
import { call } from '../lib/api.ts'
import { useResource } from '../lib/resource.ts'
import { CaseWaiting } from '../operator/CaseWaiting.tsx'
import { ConfirmOnly } from '../operator/ConfirmOnly.tsx'
import { type Choice, Decide } from '../operator/Decide.tsx'
import { ReasonForm } from '../operator/ReasonForm.tsx'
import { Said } from '../operator/Said.tsx'
import { InvestorFacts } from './InvestorFacts.tsx'
import { NotifyForm } from './NotifyForm.tsx'

export interface InvestorCaseProps {
  id: string
  /** The row in the list, without figures: shown until the investor has come. */
  listed: OperatorInvestor | undefined
  settings: Settings | null
  onChanged: (investor: OperatorInvestor) => void
}

interface Changed {
  row: OperatorInvestor
  tone: 'success' | 'caution'
  said: string
}

/** One investor with their figures, and what can be done about the account. */
export function InvestorCase({ id, listed, settings, onChanged }: InvestorCaseProps) {
  const loaded = useResource(`investor ${id}`, () => call(getInvestor, { params: { id } }))
  const [changed, setChanged] = useState<Changed | null>(null)
  const row = changed?.row ?? (loaded.state === 'ready' ? loaded.data : listed)
  if (loaded.state === 'failed') return <LoadFailure msg={loaded.msg} onRetry={loaded.reload} />
  if (row === undefined) return <CaseWaiting what="investor" />
  const take = (said: string) => (now: OperatorInvestor) => {
    setChanged({ row: now, tone: 'success', said })
    onChanged(now)
  }
  const props = {
    row,
    onOvertaken: (msg: string) => {
      setChanged({ row, tone: 'caution', said: msg })
      loaded.reload()
    },
  }
  const isClosed = row.closedAt !== null
  const told = isClosed ? 'Nobody was told: the account is closed.' : `${row.name} has been told.`
  const freeze: Choice = {
    label: 'Freeze the account',
    panel: (onCancel) => (
      <ReasonForm
        {...props}
        settings={settings}
        onCancel={onCancel}
        onDecided={take(`The account is frozen. ${told}`)}
        kind="freeze"
        endpoint={freezeInvestor}
        hint={
          isClosed
            ? 'Operators read it.'
            : 'Operators read it. The investor is told that the account is frozen, not why.'
        }
        consequence={
          isClosed
            ? `The closed account of ${row.name} (${row.email}) is kept whole: nothing of it is shredded or erased until the freeze is lifted.`
            : `The account of ${row.name} (${row.email}) is frozen: it can be read, pending requests can be cancelled, and no money moves.`
        }
        confirmLabel="Freeze the account"
      />
    ),
  }
  const unfreeze: Choice = {
    label: 'Lift the freeze',
    panel: (onCancel) => (
      <ConfirmOnly
        {...props}
        onCancel={onCancel}
        onDecided={take(`The freeze is lifted. ${told}`)}
        endpoint={unfreezeInvestor}
        confirmLabel="Lift the freeze"
      >
        <p>
          {isClosed
            ? 'What is kept of the closed account goes once its time is over.'
            : `${row.name} (${row.email}) can move money again.`}
        </p>
      </ConfirmOnly>
    ),
  }
  const notify: Choice = {
    label: 'Notify',
    panel: (onCancel) => (
      <NotifyForm
        {...props}
        onCancel={onCancel}
        onDecided={take(`${row.name} sees the notification on the overview.`)}
      />
    ),
  }
  return (
    <>
      <InvestorFacts investor={row} />
      {changed && <Said key={changed.said} tone={changed.tone} text={changed.said} />}
      <Decide key={changed?.said} choices={[row.frozen ? unfreeze : freeze, ...(isClosed ? [] : [notify])]} />
    </>
  )
}
