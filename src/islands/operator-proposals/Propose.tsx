import { useState } from 'react'
import { PROPOSAL_KINDS, type Proposal } from '../../contract/operator/proposals.ts'
import type { Settings } from '../../contract/operator/settings.ts'
import { RadioGroup } from '../../design/RadioGroup.tsx'
import { ProposeBonus } from './ProposeBonus.tsx'
import { ProposeReversal } from './ProposeReversal.tsx'
import { ProposeSettings } from './ProposeSettings.tsx'
import { ProposeWallet } from './ProposeWallet.tsx'
import { KIND_LABELS } from './words.ts'

export interface ProposeProps {
  settings: Settings | null
  onProposed: () => void
  onCancel: () => void
}

/** What every form that proposes gets. */
export type ProposeFormProps = Pick<ProposeProps, 'onProposed' | 'onCancel'>

/** Which kind, then the form of that kind. */
export function Propose({ settings, ...props }: ProposeProps) {
  const [kind, setKind] = useState<Proposal['kind']>('bonus')
  return (
    <>
      <RadioGroup
        label="What to propose"
        name="kind"
        options={PROPOSAL_KINDS.map((value) => ({
          value,
          label: KIND_LABELS[value],
          hint: hints[value],
        }))}
        value={kind}
        onChange={({ target }) => setKind(PROPOSAL_KINDS.find((known) => known === target.value) ?? 'bonus')}
      />
      <FormOf kind={kind} settings={settings} {...props} />
    </>
  )
}

function FormOf({ kind, settings, ...props }: ProposeProps & { kind: Proposal['kind'] }) {
  switch (kind) {
    case 'bonus':
      return <ProposeBonus {...props} />
    case 'wallet':
      return <ProposeWallet {...props} />
    case 'settings':
      return settings === null ? (
        <p role="status">The settings are loading.</p>
      ) : (
        <ProposeSettings {...props} settings={settings} />
      )
    case 'reversal':
      return <ProposeReversal {...props} />
  }
}

const hints: Record<Proposal['kind'], string> = {
  bonus: 'Granted to one investor.',
  wallet: 'An address that investors pay to.',
  settings: 'Limits, fees, minimums.',
  reversal: 'Takes back a credit or a payment made by mistake.',
}
