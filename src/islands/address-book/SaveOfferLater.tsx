import { useResource } from '../lib/resource.ts'
import type { Destination } from './SaveOffer.tsx'

/** The offer to save an address, fetched once there is one. It is a convenience: nothing is said where it cannot be fetched. */
export function SaveOfferLater({ destination }: { destination: Destination }) {
  const offer = useResource('save offer', () => import('./SaveOffer.tsx'))
  return offer.state === 'ready' ? <offer.data.SaveOffer destination={destination} /> : null
}
