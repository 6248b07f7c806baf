import type { Proposal } from '../../../contract/console/proposals.ts'
import { ButtonLink } from '../../../design/ButtonLink.tsx'
import { Said } from '../cases/Said.tsx'

/** Where a proposal waits, once it is made. */
export function Proposed({ proposal }: { proposal: Proposal }) {
  return (
    <div className="stack">
      <Said
        tone="success"
        title="Proposed"
        text="Another administrator decides. Nothing has changed until then."
      />
      <div className="row">
        <ButtonLink href={`/operator/proposals?open=${proposal._id}`}>See the proposal</ButtonLink>
      </div>
    </div>
  )
}
