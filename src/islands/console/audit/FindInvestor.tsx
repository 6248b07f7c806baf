import { useState } from 'react'
import { Button } from '../../../design/Button.tsx'
import { InvestorPicker } from '../proposals/InvestorPicker.tsx'

/** Finds an investor, of whose lines some are shown: what was done to the account, or what they did. */
export function FindInvestor({
  onFound,
}: {
  onFound: (words: { actor?: string; subject?: string }) => void
}) {
  const [id, setId] = useState<string | null>(null)
  return (
    <div className="stack">
      <InvestorPicker
        name="investor"
        ref={() => undefined}
        onChange={({ target }) => setId(target.value)}
        error={undefined}
      />
      {id !== null && (
        <div className="row">
          <Button variant="primary" onClick={() => onFound({ subject: id })}>
            What was done to the account
          </Button>
          <Button onClick={() => onFound({ actor: id })}>What they did</Button>
        </div>
      )}
      <p className="soft small">
        What was done to a deposit, a withdrawal or an identity check is found by its reference.
      </p>
    </div>
  )
}
