import { DurableObject } from 'cloudflare:workers'
import { openDatabase } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { runtime } from '../../lib/runtime.ts'
import type { Venue } from '../venues/venue.ts'
import { processAccount } from './account.ts'
import { openConfiguredVenue } from './configuration.ts'
import { readUnfinished } from './follow.ts'

/** How soon it asks again about orders that can still be filled. */
const AGAIN_MS = 10_000

/**
 * The one sender of an account at an exchange. There is one object with its name in the world, so nonces grow and rate limits are
 * counted in one place. Everything that must survive it is in the database.
 */
export class VenueAccount extends DurableObject<Env> {
  #venue: Venue | null = null
  #turn: Promise<void> = Promise.resolve()

  /** One run of the account's work, after those before it. */
  async work(): Promise<void> {
    const run = this.#turn.then(() => this.#work())
    this.#turn = run.catch(() => undefined)
    return await run
  }

  override async alarm(): Promise<void> {
    await this.work()
  }

  async #work(): Promise<void> {
    this.#venue ??= await openConfiguredVenue(this.env)
    if (this.#venue === null) return
    const db = openDatabase(this.env.DB)
    try {
      await processAccount({ db, venue: this.#venue, now: runtime.now })
    } finally {
      const unfinished = await readUnfinished(db, this.#venue.name)
      if (unfinished.length > 0) await this.ctx.storage.setAlarm(runtime.now() + AGAIN_MS)
    }
  }
}
