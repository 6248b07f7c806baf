import { Notice } from '../../../design/Notice.tsx'

/** What may keep hardware from signing payouts of a watch-only wallet. Renders null without a warning. */
export function HardwareWarnings({ warnings }: { warnings: readonly string[] }) {
  if (warnings.length === 0) return null
  return (
    <Notice tone="caution" title="Hardware may refuse to sign payouts">
      {warnings.map((warning) => (
        <p key={warning}>{warning}</p>
      ))}
      <p>Export the descriptor from the wallet’s software with the origin of each key.</p>
    </Notice>
  )
}
