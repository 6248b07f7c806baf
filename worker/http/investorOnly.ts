import { refuse } from '../lib/errors.ts'
import type { ActorCall } from './call.ts'

/** Refuses operators where a request is filed: they have no books, and nobody decides on their own. */
export async function investorOnly(call: ActorCall): Promise<null> {
  if (call.actor.role !== 'investor') refuse('forbidden')
  return null
}
