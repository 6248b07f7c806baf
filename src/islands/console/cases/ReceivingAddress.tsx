import { Copied } from '../../../design/Copied.tsx'

/** Where investors pay to; a simulated one says so wherever it stands, so that nobody is led to send anything. */
export function ReceivingAddress({ address, simulated }: { address: string; simulated: boolean }) {
  return (
    <Copied text={address} what="receiving address" grouped>
      {simulated && <span className="soft small">Simulated. Send nothing.</span>}
    </Copied>
  )
}
