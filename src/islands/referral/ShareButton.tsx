import { Share2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '../../design/Button.tsx'
import { site } from '../../site.ts'

/** Opens the device's own share sheet, where it has one: phones mostly. */
export function ShareButton({ link }: { link: string }) {
  const [canShare, setCanShare] = useState(false)
  useEffect(() => setCanShare(typeof navigator.share === 'function'), [])
  if (!canShare) return null
  const share = () => {
    navigator.share({ title: site.brand, url: link }).catch(() => {
      // Closed without sharing: whoever did that knows it.
    })
  }
  return (
    <Button onClick={share} icon={<Share2 aria-hidden="true" size={16} />}>
      Share
    </Button>
  )
}
