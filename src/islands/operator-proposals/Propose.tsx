import { useState } from 'react'
import type { Settings } from '../../contract/operator/settings.ts'
import { RadioGroup } from '../../design/RadioGroup.tsx'
import { ProposeBonus } from './ProposeBonus.tsx'
import { ProposeReversal } from './ProposeReversal.tsx'
import { ProposeWallet } from './ProposeWallet.tsx'
import { PROPOSABLE, type Proposable } from './proposable.ts'
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
  const [kind, setKind] = useState<Proposable>('bonus')
  return (
    <>
      <RadioGroup
        label="What to propose"
        name="kind"
        options={PROPOSABLE.map((value) => ({
          value,
          label: KIND_LABELS[value],
          hint: hints[value],
        }))}
        value={kind}
        onChange={({ target }) => setKind(PROPOSABLE.find((known) => known === target.value) ?? 'bonus')}
      />
      <FormOf kind={kind} {...props} />
      <p className="soft small">
        Limits, fees and the other settings are proposed under <a href="/operator/settings">Settings</a>.
      </p>
    </>
  )
}

function FormOf({ kind, ...props }: ProposeProps & { kind: Proposable }) {
  switch (kind) {
    case 'bonus':
      return <ProposeBonus {...props} />
    case 'wallet':
      return <ProposeWallet {...props} />
    case 'reversal':
      return <ProposeReversal {...props} />
  }
}

const hints: Record<Proposable, string> = {
  bonus: 'Granted to one investor.',
  wallet: 'An address that investors pay to.',
  reversal: 'Takes back a credit or a payment made by mistake.',
}
