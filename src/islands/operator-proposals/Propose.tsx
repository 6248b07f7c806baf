import { useState } from 'react'
import type { ProposalBody } from '../../contract/operator/proposals.ts'
import type { Settings } from '../../contract/operator/settings.ts'
import { RadioGroup } from '../../design/RadioGroup.tsx'
import { ProposeBonus } from './ProposeBonus.tsx'
import { ProposeReversal } from './ProposeReversal.tsx'
import { ProposeWallet } from './ProposeWallet.tsx'
import { KIND_LABELS } from './words.ts'

export interface ProposeProps {
  settings: Settings | null
  onProposed: () => void
  onCancel: () => void
}

/** What every form that proposes gets. */
export type ProposeFormProps = ProposeProps

/** Which kind, then the form of that kind. */
export function Propose(props: ProposeProps) {
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
      <FormOf kind={kind} {...props} />
      <p className="soft small">
        Limits, fees and the other settings are proposed under <a href="/operator/settings">Settings</a>.
      </p>
    </>
  )
}

function FormOf({ kind, ...props }: ProposeProps & { kind: Kind }) {
  switch (kind) {
    case 'bonus':
      return <ProposeBonus {...props} />
    case 'wallet':
      return <ProposeWallet {...props} />
    case 'reversal':
      return <ProposeReversal {...props} />
  }
}

// The others are proposed where they are: settings, mails to everybody, operators.
type Kind = Exclude<ProposalBody['kind'], 'settings' | 'announcement' | 'operator'>

// A reviewer's key is made, and so proposed, where the keys are listed.
const KINDS: readonly Kind[] = ['bonus', 'wallet', 'reversal']

const hints: Record<Kind, string> = {
  bonus: 'Granted to one investor.',
  wallet: 'An address that investors pay to.',
  reversal: 'Takes back a credit or a payment made by mistake.',
}
