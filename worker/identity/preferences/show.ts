import type { Preferences } from '../../../src/contract/identity/preferences.ts'
import { type ActorCall, type Answer, ok } from '../../http/call.ts'
import { preferencesOf } from './standing.ts'

/** The actor's preferences, whole. */
export async function showPreferences({ db, actor }: ActorCall): Promise<Answer<Preferences>> {
  return ok(await preferencesOf(db, actor.id))
}
