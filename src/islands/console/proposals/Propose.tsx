import { useState } from 'react'
import type { Settings } from '../../../contract/console/settingValues.ts'
import { RadioGroup } from '../../../design/RadioGroup.tsx'
import { useOperator } from '../cases/useOperator.ts'
import { ProposeAnnouncement } from './ProposeAnnouncement.tsx'
import { ProposeBonus } from './ProposeBonus.tsx'
import { ProposeReversal } from './ProposeReversal.tsx'
import { type Proposable, proposableBy } from './proposable.ts'
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
  const { me } = useOperator()
  const kinds = proposableBy(me?.roles ?? [])
  const [chosen, setKind] = useState<Proposable | null>(null)
  const kind = chosen ?? kinds[0]
  if (kind === undefined) return null
  return (
    <>
      <RadioGroup
        label="What to propose"
        name="kind"
        options={kinds.map((value) => ({
          value,
          // In a narrow card, where the longer word would be broken.
          label: value === 'announcement' ? 'Mail to many' : KIND_LABELS[value],
          hint: hints[value],
        }))}
        value={kind}
        onChange={({ target }) => setKind(kinds.find((known) => known === target.value) ?? null)}
      />
      <FormOf kind={kind} {...props} />
      <p className="soft small">
        Limits, fees and the other settings are proposed under <a href="/operator/settings">Settings</a>,
        addresses that investors pay to under <a href="/operator/wallets">Wallets</a>.
      </p>
    </>
  )
}

function FormOf({ kind, ...props }: ProposeProps & { kind: Proposable }) {
  switch (kind) {
    case 'bonus':
      return <ProposeBonus {...props} />
    case 'reversal':
      return <ProposeReversal {...props} />
    case 'announcement':
      return <ProposeAnnouncement {...props} />
  }
}

const hints: Record<Proposable, string> = {
  bonus: 'Granted to one investor.',
  reversal: 'Takes back a credit or a payment made by mistake.',
  announcement: 'A mail to everybody who wants its topic.',
}
