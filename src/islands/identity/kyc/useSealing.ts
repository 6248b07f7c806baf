import { useEffect, useRef } from 'react'
import { networkFailure } from '../../lib/ApiFailure.ts'
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

async function fetchSealing() {
  try {
    return await import('./sealDocument.ts')
  } catch (error) {
    // It did not come: the browser may well encrypt, and nobody is to be offered less because of a lost connection.
    if (error instanceof TypeError && /import/i.test(error.message)) throw networkFailure()
    throw error
  }
}
