import type { WalletsStanding } from '../../../contract/console/wallets.ts'
import { ButtonLink } from '../../../design/ButtonLink.tsx'
import { DateTime } from '../../../design/DateTime.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { coinOnNetwork } from '../cases/coinWords.ts'
import { useOperator } from '../cases/useOperator.ts'
import { addressEnds } from './words.ts'

/** Wallets that were proposed and wait for a second operator, each with the way to its decision. */
export function ProposedWallets({ proposals }: { proposals: WalletsStanding['proposals'] }) {
  const { me } = useOperator()
  return proposals.map(({ _id, walletName, network, address, createdAt, proposedBy }) => {
    const isOwn = me?._id === proposedBy._id
    return (
      <Notice
        key={_id}
        title={`${coinOnNetwork(walletName, network)} to ${addressEnds(address)} waits for ${isOwn ? 'another' : 'a second'} operator`}
        actions={
          <ButtonLink href={`/operator/proposals?open=${_id}`} size="small">
            {isOwn ? 'Open' : 'Compare and decide'}
            <span className="visually-hidden"> {addressEnds(address)}</span>
          </ButtonLink>
        }
      >
        Proposed by {isOwn ? 'you' : proposedBy.name}, <DateTime at={createdAt} />. Nobody is sent to it
        before.
      </Notice>
    )
  })
}
