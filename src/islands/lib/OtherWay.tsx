import { Button } from '../../design/Button.tsx'
import type { PasskeyProof } from './passkeyProof.ts'

interface OtherWayProps {
  passkey: Pick<PasskeyProof, 'isOffered' | 'isChosen' | 'choose'>
  wide?: boolean
}

/** Beside a form's button: leads from the passkey to a code and back, where there is a passkey. */
export function OtherWay({ passkey, wide = false }: OtherWayProps) {
  if (!passkey.isOffered) return null
  return (
    <Button variant="quiet" wide={wide} onClick={() => passkey.choose(passkey.isChosen ? 'code' : 'passkey')}>
      {passkey.isChosen ? 'Use a code instead' : 'Use a passkey instead'}
    </Button>
  )
}
