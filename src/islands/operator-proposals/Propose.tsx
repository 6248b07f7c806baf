import { useState } from 'react'
import type { ProposalBody } from '../../contract/operator/proposals.ts'
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
  const [kind, setKind] = useState<Kind>('bonus')
  return (
    <>
      <RadioGroup
        label="What to propose"
        name="kind"
        options={KINDS.map((value) => ({
          value,
          label: KIND_LABELS[value],
          hint: hints[value],
        }))}
        value={kind}
        onChange={({ target }) => setKind(KINDS.find((known) => known === target.value) ?? 'bonus')}
      />
      <FormOf kind={kind} settings={settings} {...props} />
    </>
  )
}

function FormOf({ kind, settings, ...props }: ProposeProps & { kind: Kind }) {
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

// An announcement, and who operates, are proposed through the API.
type Kind = Exclude<ProposalBody['kind'], 'announcement' | 'operator'>

// A reviewer's key is made, and so proposed, where the keys are listed.
const KINDS: readonly Kind[] = ['bonus', 'wallet', 'settings', 'reversal']

const hints: Record<Kind, string> = {
  bonus: 'Granted to one investor.',
  wallet: 'An address that investors pay to.',
  settings: 'Limits, fees, minimums.',
  reversal: 'Takes back a credit or a payment made by mistake.',
}
