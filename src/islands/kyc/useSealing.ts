import { useEffect, useRef } from 'react'
import { type Seal, sealOnce } from './sendDocument.ts'

/** What encrypts, fetched once it `isNeeded`: nobody waits for it who has yet to choose a picture. */
export function useSealing(isNeeded: boolean): Seal {
  const kept = useRef<Seal>(null)
  useEffect(() => {
    // A failure is said when the document is sent.
    if (isNeeded) fetchSealing().catch(() => undefined)
  }, [isNeeded])
  kept.current ??= sealOnce(async (picture, recipients) => {
    const { sealDocument } = await fetchSealing()
    return sealDocument(picture, recipients)
  })
  return kept.current
}

function fetchSealing() {
  return import('./sealDocument.ts')
}
